/// The parts of a page that say whether its item can be had, read out of the first bytes of HTML, however broken.
///
/// It is no parser of HTML: it never builds a tree, runs nothing, and takes time in proportion to the page.
struct PageText: Sendable {
    /// The title, in small letters, without markup.
    let title: String
    /// The headings of the first rank.
    let headings: [String]
    /// What a reader sees, in small letters, words apart by one space.
    let visible: String
    /// The contents of scripts with linked data.
    let linkedData: [String]
    /// Names and contents of `meta` and `link` elements and of those with an `itemprop`, in small letters but for contents.
    let properties: [(name: String, content: String)]

    /// The bytes of a page, in UTF-8 or in the letters of western Europe; others are read as replacement characters.
    init(_ bytes: some Collection<UInt8>) {
        var scanner = Scanner(WesternLetters.utf8(of: Array(bytes)))
        scanner.run()
        title = Self.plain(scanner.title)
        headings = scanner.headings.map(Self.plain)
        visible = Self.plain(scanner.visible)
        linkedData = scanner.linkedData.map { String(decoding: $0, as: UTF8.self) }
        properties = scanner.properties
    }

    private static func plain(_ bytes: [UInt8]) -> String {
        let text = decoded(String(decoding: bytes, as: UTF8.self)).lowercased()
        return text.split { $0.isWhitespace || $0 == "\u{A0}" }.joined(separator: " ")
    }

    /// Character references that pages use in plain words; others stay as they are.
    static func decoded(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && $0 != "&" && !$0.isWhitespace }
            let after = rest.index(start, offsetBy: name.count + 1)
            if after < rest.endIndex, rest[after] == ";", let character = character(named: name) {
                result.append(character)
                rest = rest[rest.index(after: after)...]
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(named name: Substring) -> Character? {
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let value =
                digits.first.map { $0 == "x" || $0 == "X" } == true
                ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap { Unicode.Scalar($0) }.map { Character($0) }
        }
        return named[String(name)]
    }

    private static let named: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "rsquo": "’", "auml": "ä",
        "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
        "ccedil": "ç", "ecirc": "ê", "aacute": "á", "iacute": "í", "oacute": "ó", "uacute": "ú", "ntilde": "ñ",
        "atilde": "ã", "otilde": "õ", "aring": "å", "oslash": "ø", "Eacute": "É", "Egrave": "È", "Agrave": "À",
        "Ccedil": "Ç", "Aring": "Å", "Oslash": "Ø", "acirc": "â", "icirc": "î", "ocirc": "ô", "ucirc": "û",
        "euml": "ë", "iuml": "ï", "igrave": "ì", "ograve": "ò", "ugrave": "ù", "aelig": "æ", "oelig": "œ",
        "lsquo": "‘", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "ndash": "–", "mdash": "—",
        "hellip": "…", "bull": "•", "middot": "·", "times": "×", "deg": "°", "frac12": "½", "reg": "®",
        "copy": "©", "trade": "™", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢",
    ]
}

/// One way through the bytes of a page.
private struct Scanner {
    private let bytes: [UInt8]
    private var place = 0
    var title: [UInt8] = []
    var headings: [[UInt8]] = []
    var visible: [UInt8] = []
    var linkedData: [ArraySlice<UInt8>] = []
    var properties: [(name: String, content: String)] = []
    private var isInTitle = false
    private var isInHeading = false

    /// Elements whose content nobody sees.
    private static let hidden: Set<String> = ["script", "style", "noscript", "template", "svg"]
    /// As many as a page of sixteen thousand bytes can have of any use.
    private static let mostProperties = 400

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() {
        while place < bytes.count {
            let byte = bytes[place]
            guard byte == UInt8(ascii: "<"), let next = bytes[safely: place + 1], Self.beginsTag(next) else {
                show(byte)
                place += 1
                continue
            }
            if next == UInt8(ascii: "!"), bytes[place...].starts(with: Array("<!--".utf8)) {
                place = find(Array("-->".utf8), from: place + 4).map { $0 + 3 } ?? bytes.count
            } else {
                tag()
            }
        }
    }

    private static func beginsTag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || (0x61...0x7A).contains(byte | 0x20)
    }

    private mutating func show(_ byte: UInt8) {
        visible.append(byte)
        if isInTitle { title.append(byte) }
        if isInHeading, let last = headings.indices.last { headings[last].append(byte) }
    }

    private mutating func tag() {
        let start = place + 1
        let end = endOfTag(from: start)
        // Of a tag that the page was cut in nobody knows what its last value is.
        guard end < bytes.count else {
            place = bytes.count
            return
        }
        let inside = bytes[start..<end]
        place = min(end + 1, bytes.count)
        let isEnd = inside.first == UInt8(ascii: "/")
        let name = Self.text(inside.dropFirst(isEnd ? 1 : 0).prefix { Self.isOfName($0) })
        // Words on both sides of an element are two words, as far as anybody searches for them.
        show(0x20)
        switch name {
        case "title": isInTitle = !isEnd && title.allSatisfy { $0 == 0x20 }
        case "h1":
            isInHeading = !isEnd
            if !isEnd { headings.append([]) }
        case _ where isEnd: break
        default:
            let attributes = Self.attributes(inside.dropFirst(name.utf8.count))
            note(attributes)
            if Self.hidden.contains(name) { skip(name, attributes) }
        }
    }

    /// Quoted values may hold the character that ends a tag.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8?
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // A quote that does not follow an equals sign is a slip of the pen, not the beginning of a value.
                if bytes[safely: index - 1] == UInt8(ascii: "=") { quote = byte }
            }
            index += 1
        }
        return bytes.count
    }

    private mutating func skip(_ name: String, _ attributes: [(name: String, value: String)]) {
        let end = find(Array("</\(name)".utf8), from: place) ?? bytes.count
        if name == "script",
            attributes.contains(where: { $0.name == "type" && $0.value.lowercased().contains("ld+json") })
        {
            linkedData.append(bytes[place..<end])
        }
        place = end
    }

    private mutating func note(_ attributes: [(name: String, value: String)]) {
        guard properties.count < Self.mostProperties else { return }
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        guard let name = value("itemprop") ?? value("property") ?? value("name"),
            let content = value("content") ?? value("href")
        else { return }
        properties.append((name.lowercased(), PageText.decoded(content)))
    }

    private func find(_ wanted: [UInt8], from start: Int) -> Int? {
        guard start + wanted.count <= bytes.count else { return nil }
        return (start...bytes.count - wanted.count).first { index in
            zip(bytes[index...], wanted).allSatisfy { Self.lowered($0) == $1 }
        }
    }

    private static func attributes(_ inside: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        var rest = inside
        while !rest.isEmpty {
            rest = rest.drop { !isOfName($0) }
            let name = rest.prefix { isOfName($0) }
            rest = rest[name.endIndex...].drop { isSpace($0) }
            guard !name.isEmpty else { break }
            guard rest.first == UInt8(ascii: "=") else {
                attributes.append((text(name), ""))
                continue
            }
            rest = rest.dropFirst().drop { isSpace($0) }
            let quote = rest.first.flatMap { $0 == 0x22 || $0 == 0x27 ? $0 : nil }
            let value = quote.map { quote in rest.dropFirst().prefix { $0 != quote } } ?? rest.prefix { !isSpace($0) }
            rest = rest[value.endIndex...].dropFirst(quote == nil ? 0 : 1)
            attributes.append((text(name), String(decoding: value, as: UTF8.self)))
        }
        return attributes
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(lowered), as: UTF8.self)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x3A
            || byte == 0x5F
    }
}

extension [UInt8] {
    fileprivate subscript(safely index: Int) -> UInt8? { indices.contains(index) ? self[index] : nil }
}

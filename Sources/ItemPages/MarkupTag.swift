import TextReading

/// One tag of a page: its name, what is set in it, and what kind of element it begins or ends.
struct MarkupTag {
    let name: String
    let isEnd: Bool
    private let attributes: [(name: String, value: String)]

    /// - Parameter inside: What stands between the brackets.
    init(_ inside: ArraySlice<UInt8>) {
        isEnd = inside.first == UInt8(ascii: "/")
        let rest = inside.dropFirst(isEnd ? 1 : 0)
        let written = rest.prefix { Self.isOfName($0) }
        name = Self.text(written)
        attributes = isEnd ? [] : Self.attributes(rest[written.endIndex...])
    }

    /// What the first attribute of that name is set to; empty where it is only there.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    // MARK: Kinds of elements

    /// Elements whose content nobody sees, or that is no markup.
    static let raw: Set<String> = ["script", "style", "noscript", "template", "svg", "textarea", "iframe", "noembed"]
    static let empty: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
    /// Elements within a line.
    static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "em", "font", "i", "img", "ins", "kbd", "label",
        "link", "mark", "meta", "nobr", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
        "wbr",
    ]
    /// Those of them that change the look of letters, within a word also.
    static let lettering: Set<String> = ["b", "bdi", "em", "font", "i", "mark", "strong", "u", "wbr"]
    /// Elements whose end need not be written.
    static let impliedEnds: Set<String> = ["p", "li", "option", "dt", "dd", "tr", "td", "th"]

    static func endsParagraph(_ name: String) -> Bool {
        !inline.contains(name) && name != "button" && !empty.contains(name)
    }

    /// 1 to 6; nil where it begins no heading.
    var headingRank: Int? {
        let letters = Array(name.utf8)
        guard letters.count == 2, letters[0] == UInt8(ascii: "h"), (0x31...0x36).contains(letters[1]) else {
            return nil
        }
        return Int(letters[1]) - 0x30
    }

    /// What can be pressed on a button that is no element of its own.
    var buttonLabel: String? {
        ["submit", "button"].contains(self["type"]?.lowercased() ?? "") ? self["value"] : nil
    }

    /// The value of a property that is no text of the element.
    var value: String? { self["content"] ?? self["href"] ?? self["src"] ?? self["datetime"] ?? self["value"] }

    // MARK: Where an element stands

    private static let besides: Set<String> = ["nav", "footer", "aside", "dialog", "menu"]
    private static let besideRoles: Set<String> = [
        "navigation", "contentinfo", "complementary", "dialog", "menu", "search",
    ]
    /// What is bought besides: a shop says of each row of its basket what it has not.
    private static let basketClasses: Set<String> = ["cart-drawer", "cartdrawer", "mini-cart", "minicart"]
    /// Words of classes that hide; of some of them only on some screens.
    private static let hidingClasses: Set<String> = [
        "hidden", "hide", "d-none", "is-hidden", "visually-hidden", "sr-only", "display-none", "invisible", "u-hidden",
        "visuallyhidden", "screen-reader-text", "offscreen",
    ]
    /// Parts of classes that hide what is too much, and not the element.
    private static let clipping: Set<Substring> = ["overflow", "backface", "scrollbar", "scroll", "x", "y"]
    private static let relatedClasses = PhraseFinder(
        [
            "related", "recommend", "upsell", "cross-sell", "crosssell", "similar", "also-like", "recently-viewed",
            "you-may-also",
        ],
        areWords: false
    )
    /// What other items may stand in; a page's body has all sorts of classes.
    private static let holders: Set<String> = [
        "section", "div", "ul", "ol", "article", "li", "product-recommendations",
    ]

    /// What holds within the element.
    func area(within outside: PageScanner.Area) -> PageScanner.Area {
        var area = outside
        if Self.besides.contains(name) || Self.basketClasses.contains(name) { area.isBeside = true }
        if name == "select" || name == "option" { area.isUncertain = true }
        // At the head of a page stands what leads elsewhere.
        if name == "header" { area.isInert = true }
        guard !attributes.isEmpty else { return area }
        let style = (self["style"] ?? "").lowercased().filter { $0 != " " }
        let isHidden = self["hidden"].map { $0.lowercased() != "until-found" } ?? false
        if isHidden || style.contains("display:none") || style.contains("visibility:hidden") { area.isHidden = true }
        let classes = "\(self["class"] ?? "") \(self["id"] ?? "")".lowercased()
        if Self.besideRoles.contains(self["role"]?.lowercased() ?? "") { area.isBeside = true }
        if Self.holders.contains(name), Self.relatedClasses.isIn(Array(classes.utf8)) { area.isBeside = true }
        let words = classes.split(separator: " ").map(String.init)
        if words.contains(where: Self.basketClasses.contains) { area.isBeside = true }
        if words.contains(where: Self.mayHide) { area.isUncertain = true }
        let isDisabled = self["disabled"] != nil || self["aria-disabled"]?.lowercased() == "true"
        if isDisabled || words.contains("disabled") { area.isInert = true }
        return area
    }

    /// Whether a class hides by its word or by a part of it: `js-hidden`, and not `overflow-hidden`.
    private static func mayHide(_ word: String) -> Bool {
        if hidingClasses.contains(word) { return true }
        let parts = word.split { $0 == "-" || $0 == "_" || $0 == ":" }
        return parts.contains { $0 == "hidden" || $0 == "hide" } && !parts.contains { Self.clipping.contains($0) }
    }

    // MARK: Bytes

    static func byte(_ bytes: [UInt8], _ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    static func begins(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || (0x61...0x7A).contains(byte | 0x20)
    }

    /// Where a tag ends whose inside begins there; quoted values may hold the character that ends it.
    static func end(_ bytes: [UInt8], from start: Int) -> Int {
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
                if Self.byte(bytes, index - 1) == UInt8(ascii: "=") { quote = byte }
            }
            index += 1
        }
        return bytes.count
    }

    /// Where a text in small letters stands next, in letters of any size.
    static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + wanted.count <= bytes.count {
            var offset = 0
            while offset < wanted.count, lowered(bytes[index + offset]) == wanted[offset] { offset += 1 }
            if offset == wanted.count { return index }
            index += 1
        }
        return nil
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

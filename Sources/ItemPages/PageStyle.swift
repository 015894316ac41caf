/// The classes and ids that a page's own style hides, as far as it says so in the page itself.
///
/// It applies no rule in full: a script may show again what a class hides, so that such text is only uncertain.
struct PageStyle {
    /// For each rule that hides, the classes and ids that an element must have, as `.note` and `#note` in small letters.
    private var hidden: [Set<String>] = []

    /// As many rules as are kept, and as much of one selector as is read.
    private static let mostRules = 400
    private static let longestSelector = 2_000

    init(_ page: [UInt8]) {
        var place = 0
        while let start = MarkupTag.find(Array("<style".utf8), in: page, from: place) {
            let end = MarkupTag.find(Array("</style".utf8), in: page, from: start) ?? page.count
            let tagEnd = min(MarkupTag.end(page, from: start + 1) + 1, end)
            read(Self.withoutComments(page[tagEnd..<end]))
            place = max(end, start + 1)
        }
    }

    /// Whether an element has all that some rule hides.
    func mayHide(_ tag: MarkupTag) -> Bool {
        guard !hidden.isEmpty else { return false }
        let classes = (tag["class"] ?? "").lowercased().split { $0.isWhitespace }.map { ".\($0)" }
        let own = Set(classes + (tag["id"].map { ["#\($0.lowercased())"] } ?? []))
        return !own.isEmpty && hidden.contains { $0.isSubset(of: own) }
    }

    private static func withoutComments(_ style: ArraySlice<UInt8>) -> [UInt8] {
        var rest = style
        var plain: [UInt8] = []
        while let start = rest.indices.first(where: { rest[$0...].starts(with: "/*".utf8) }) {
            plain += rest[..<start]
            let behind = rest[start...].dropFirst(2)
            guard let end = behind.indices.first(where: { behind[$0...].starts(with: "*/".utf8) }) else { return plain }
            rest = behind[end...].dropFirst(2)
        }
        return plain + rest
    }

    private mutating func read(_ style: [UInt8]) {
        var rest = style[...]
        while hidden.count < Self.mostRules, let brace = rest.firstIndex(where: { $0 == 0x7B || $0 == 0x7D }) {
            let selector = String(decoding: rest[..<brace].suffix(Self.longestSelector), as: UTF8.self).lowercased()
            let isOpened = rest[brace] == 0x7B
            rest = rest[brace...].dropFirst()
            guard isOpened else { continue }
            let rule = selector.drop { $0.isWhitespace || $0 == ";" }
            if rule.hasPrefix("@") {
                // Rules within others are read like any, but those of paper.
                if rule.contains("print") { rest = Self.behindBlock(rest) }
                continue
            }
            let body = rest.prefix { $0 != 0x7D }
            if Self.hides(body) { add(rule) }
            rest = rest[body.endIndex...].dropFirst()
        }
    }

    private static func behindBlock(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var depth = 1
        for (place, byte) in zip(text.indices, text) {
            if byte == 0x7B { depth += 1 }
            if byte == 0x7D { depth -= 1 }
            if depth == 0 { return text[place...].dropFirst() }
        }
        return text[text.endIndex...]
    }

    private static func hides(_ body: ArraySlice<UInt8>) -> Bool {
        let plain = String(decoding: body, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        return plain.split(separator: ";").contains { declaration in
            declaration.hasPrefix("display:none") || declaration.hasPrefix("visibility:hidden")
        }
    }

    /// Takes down the last part of each selector, which is the element itself, by its classes and ids.
    private mutating func add(_ selectors: Substring) {
        for selector in selectors.split(separator: ",") {
            let last = selector.split { $0.isWhitespace || ">+~".contains($0) }.last ?? ""
            let name = last.prefix { $0 != ":" && $0 != "[" }
            // What is only so under a pointer, or made by the style, is no element's text.
            let state = last.dropFirst(name.count)
            guard !state.hasPrefix(":") || state.hasPrefix(":not(") else { continue }
            var parts: Set<String> = []
            var part = ""
            for character in name {
                if character == "." || character == "#" {
                    if part.count > 1 { parts.insert(part) }
                    part = String(character)
                } else if !part.isEmpty {
                    part.append(character)
                }
            }
            if part.count > 1 { parts.insert(part) }
            if !parts.isEmpty { hidden.append(parts) }
        }
    }
}

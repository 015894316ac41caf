extension Candidate {
    /// Whether it is a template in which nothing was filled in: "{{PRODUCT_NAME}}", "${title}", "[PRODUCT_NAME]".
    package var isUnfilled: Bool { Self.hasPlaceholder(title) || Self.hasPlaceholder(description ?? "") }

    /// The marks that open and close a name in the languages of templates.
    private static let marks: [(open: [UInt8], close: [UInt8])] = [
        ("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}"), ("#{", "}"), ("[[", "]]"), ("%%", "%%"), ("[", "]"),
        ("{", "}"),
        ("%", "%"),
    ].map { (Array($0.utf8), Array($1.utf8)) }
    private static let longestName = 60
    private static let longestText = 4_000

    private static func hasPlaceholder(_ text: String) -> Bool {
        guard mayOpen(text) else { return false }
        let all = Array(text.utf8.prefix(longestText))
        return all.indices.contains { place in
            marks.contains { mark in
                guard all[place...].starts(with: mark.open) else { return false }
                let name = all[(place + mark.open.count)...].prefix(longestName).prefix { isOfName($0) || $0 == 0x20 }
                return all[name.endIndex...].starts(with: mark.close) && isName(name, isPlain: mark.open.count > 1)
            }
        }
    }

    /// Nearly every text has none of the signs that a mark begins with.
    private static func mayOpen(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for place in bytes.indices where bytes[place] == 0x7B || bytes[place] == 0x5B || bytes[place] == 0x25 {
            return true
        }
        return false
    }

    /// A name in plain marks has words apart by a line and in capitals or small letters alone; others may be what people write.
    private static func isName(_ name: ArraySlice<UInt8>, isPlain: Bool) -> Bool {
        let bare = name.filter { $0 != 0x20 }
        guard let first = bare.first, isLetter(first) || first == 0x5F else { return false }
        if isPlain { return true }
        let isOfOneCase = !bare.contains { (0x41...0x5A).contains($0) } || !bare.contains { (0x61...0x7A).contains($0) }
        return bare.count == name.count && bare.contains(0x5F) && isOfOneCase
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2E || byte == 0x2D || byte == 0x7C
    }
}

import TextReading

/// The words of a text with markup, as data; it is not shown as a page, so that no tag need be understood.
package enum PlainMarkup {
    /// More of a description is never read.
    private static let mostBytes = 120_000
    /// Elements whose contents nobody reads.
    private static let silent = ["script", "style"]

    /// What stands between `<` and `>` becomes a space; character references are read.
    ///
    /// Takes time in proportion to the text: a shop may write anything there.
    package static func text(of html: String) -> String {
        let bytes = Array(html.utf8.prefix(mostBytes))
        var words: [UInt8] = []
        words.reserveCapacity(bytes.count)
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            words += bytes[place..<start]
            if !beginsTag(bytes[start...]) {
                words.append(bytes[start])
                place = start + 1
            } else if let end = end(ofTagAt: start, in: bytes) {
                words.append(UInt8(ascii: " "))
                place = end
            } else {
                // No tag behind it has an end either, so that all of it is words.
                place = start
                break
            }
        }
        return decoded(String(decoding: words + bytes[place...], as: UTF8.self))
    }

    /// Character references that pages use in plain words; others stay as they are.
    package static func decoded(_ text: String) -> String {
        String(decoding: PlainLetters.decoded(Array(text.utf8)), as: UTF8.self)
    }

    /// Behind the tag, the comment or the silent element that begins there; nil for a tag without an end.
    private static func end(ofTagAt start: Int, in bytes: [UInt8]) -> Int? {
        if bytes[start...].starts(with: "<!--".utf8) { return behind("-->", from: start + 4, in: bytes) ?? bytes.count }
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let name = bytes[(start + 1)..<close].prefix { (0x61...0x7A).contains($0 | 0x20) }
        guard let element = silent.first(where: { isSame(name, Array($0.utf8)) }) else { return close + 1 }
        let next = behind("</\(element)", from: close + 1, in: bytes) ?? bytes.count
        return bytes[next...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
    }

    private static func beginsTag(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let next = bytes.dropFirst().first else { return false }
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || (0x61...0x7A).contains(next | 0x20)
    }

    /// Behind the next such text, whose letters are small here and of any case there.
    private static func behind(_ wanted: String, from start: Int, in bytes: [UInt8]) -> Int? {
        let wanted = Array(wanted.utf8)
        guard start + wanted.count <= bytes.count else { return nil }
        let found = (start...bytes.count - wanted.count).first { isSame(bytes[$0..<$0 + wanted.count], wanted) }
        return found.map { $0 + wanted.count }
    }

    private static func isSame(_ bytes: ArraySlice<UInt8>, _ small: [UInt8]) -> Bool {
        bytes.count == small.count
            && zip(bytes, small).allSatisfy { byte, wanted in
                byte == wanted || ((0x61...0x7A).contains(wanted) && byte | 0x20 == wanted)
            }
    }
}

/// Finds phrases in plain text, each as words of its own: `agotado` is none of `agotadores`.
///
/// Scripts that put no space between words need none around a phrase.
package struct PhraseFinder: Sendable {
    /// The phrases by their first byte, the longest first.
    private let byFirst: [[[UInt8]]]
    private let areWords: Bool

    /// Phrases have to stand as words of their own, marks in markup need not.
    package init(_ phrases: [String], areWords: Bool = true) {
        var byFirst: [[[UInt8]]] = Array(repeating: [], count: 256)
        for phrase in phrases {
            let plain = areWords ? PlainLetters.plain(phrase) : Array(phrase.utf8)
            if let first = plain.first { byFirst[Int(first)].append(plain) }
        }
        self.byFirst = byFirst.map { $0.sorted { $0.count > $1.count } }
        self.areWords = areWords
    }

    package func isIn(_ text: [UInt8]) -> Bool { !places(in: text, most: 1).isEmpty }

    /// Where phrases stand, from left to right, none within another.
    package func places(in text: [UInt8], most: Int) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var index = 0
        while index < text.count, places.count < most {
            let phrases = byFirst[Int(text[index])]
            let found = phrases.isEmpty ? nil : phrases.first { stands($0, in: text, at: index) }
            if let found { places.append(index..<index + found.count) }
            index += found?.count ?? 1
        }
        return places
    }

    private func stands(_ phrase: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        let end = start + phrase.count
        guard end <= text.count else { return false }
        for offset in phrase.indices where text[start + offset] != phrase[offset] { return false }
        guard areWords else { return true }
        return (!Self.isLetter(phrase, endingAt: 1) || !Self.isLetter(text, endingAt: start))
            && (!Self.isLetter(phrase, endingAt: phrase.count) || !Self.isLetter(text, beginningAt: end))
    }

    /// Whether a letter or digit of an alphabet ends before a place; signs that are words by themselves are none.
    private static func isLetter(_ text: [UInt8], endingAt end: Int) -> Bool {
        guard end > 0 else { return false }
        let byte = text[end - 1]
        if byte < 0x80 { return isLetter(byte) }
        // At its first byte, or after its second.
        if byte >= 0xC0 { return isLead(byte) }
        return end > 1 && isLead(text[end - 2])
    }

    private static func isLetter(_ text: [UInt8], beginningAt start: Int) -> Bool {
        guard start < text.count else { return false }
        return isLetter(text[start]) || isLead(text[start])
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// The first byte of letters of Latin, Greek, Cyrillic, Hebrew and Arabic, which have two.
    private static func isLead(_ byte: UInt8) -> Bool { (0xC3...0xDF).contains(byte) }
}

/// Lower-cased text in which substrings are looked for, as the original did: anywhere, by code points and not by words.
///
/// Nearly all that is looked for is not there, so a text keeps a bit for each pair of neighbouring bytes it has.
struct ClassicText: Sendable {
    /// What of the original's vocabulary stands in the text.
    let marks: ClassicVocabulary.Marks
    private let bytes: [UInt8]
    private let pairs: [UInt64]

    init(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.contains(where: { $0 >= 0x80 }) {
            bytes = Array(text.lowercased().utf8)
        } else {
            for place in bytes.indices where bytes[place] &- UInt8(ascii: "A") < 26 { bytes[place] |= 0x20 }
        }
        var pairs = [UInt64](repeating: 0, count: BytePair.count / 64)
        for place in bytes.indices.dropLast() {
            let pair = BytePair.number(bytes[place], bytes[place + 1])
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        marks = ClassicVocabulary.shared.marks(in: bytes)
        self.bytes = bytes
        self.pairs = pairs
    }

    /// True for a word that stands anywhere in the text.
    ///
    /// UTF-8 bytes of one code point never begin inside those of another, so bytes find what code points would.
    func contains(_ word: ClassicWord) -> Bool {
        for pair in word.pairs where pairs[pair >> 6] & (1 << UInt64(pair & 63)) == 0 { return false }
        guard let first = word.letters.first else { return true }
        guard bytes.count >= word.letters.count else { return false }
        for start in 0...bytes.count - word.letters.count where bytes[start] == first {
            if word.stands(in: bytes, at: start) { return true }
        }
        return false
    }
}

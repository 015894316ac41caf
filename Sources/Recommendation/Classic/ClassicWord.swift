/// A word or a few, in lower case, to be looked for anywhere in a text.
struct ClassicWord: Sendable {
    let letters: [UInt8]
    /// The numbers of its pairs of neighbouring bytes.
    let pairs: [Int]

    init(_ text: String) {
        letters = Array(text.lowercased().utf8)
        pairs = zip(letters, letters.dropFirst()).map(BytePair.number)
    }

    /// Whether the word stands at this place, where there is room for it.
    func stands(in bytes: [UInt8], at start: Int) -> Bool {
        for offset in letters.indices where bytes[start + offset] != letters[offset] { return false }
        return true
    }
}

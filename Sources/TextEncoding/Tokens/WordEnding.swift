/// A few letters a word may end in, compared as one number instead of letter by letter.
struct WordEnding {
    private let letters: UInt64
    private let length: Int

    /// At most eight ASCII letters.
    private init(_ text: StaticString) {
        letters = text.description.utf8.reduce(0) { $0 << 8 | UInt64($1) }
        length = text.utf8CodeUnitCount
    }

    func ends(_ word: [UInt8]) -> Bool {
        guard word.count >= length else { return false }
        var tail: UInt64 = 0
        for index in (word.count - length)..<word.count { tail = tail << 8 | UInt64(word[index]) }
        return tail == letters
    }

    static let at = Self("at")
    static let ation = Self("ation")
    static let bl = Self("bl")
    static let ed = Self("ed")
    static let eed = Self("eed")
    static let ied = Self("ied")
    static let ies = Self("ies")
    static let ing = Self("ing")
    static let britishS = Self("is")
    static let ise = Self("ise")
    static let ised = Self("ised")
    static let ises = Self("ises")
    static let ising = Self("ising")
    static let iz = Self("iz")
    static let ll = Self("ll")
    static let ller = Self("ller")
    static let our = Self("our")
    static let sses = Self("sses")
}

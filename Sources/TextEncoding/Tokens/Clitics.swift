/// What an apostrophe joined to a word: dropped, or told as a negation.
enum Clitics {
    /// Removes clitics and apostrophes from a folded word; true when the word carried "n't".
    static func remove(from word: inout [UInt8]) -> Bool {
        let mark = UInt8(ascii: "'")
        while word.last == mark { word.removeLast() }
        guard let place = word.lastIndex(of: mark) else { return false }
        let tail = word[(place + 1)...]
        var isNegated = false
        if tail.elementsEqual("t".utf8), word[..<place].last == UInt8(ascii: "n") {
            isNegated = true
            word.removeSubrange((place - 1)...)
            restore(&word)
        } else if Self.dropped.contains(where: { tail.elementsEqual($0.utf8) }) {
            word.removeSubrange(place...)
        }
        word.removeAll { $0 == mark }
        return isNegated
    }

    private static let dropped = ["s", "re", "ll", "ve", "d", "m"]

    /// "can't", "won't", "shan't" and "ain't" lose more than "n't".
    private static func restore(_ word: inout [UInt8]) {
        for (short, full) in [("ca", "can"), ("wo", "will"), ("sha", "shall"), ("ai", "is")]
        where word.elementsEqual(short.utf8) {
            word = Array(full.utf8)
        }
    }
}

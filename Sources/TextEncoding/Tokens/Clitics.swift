/// What an apostrophe joined to a word: dropped, or told as a negation.
enum Clitics {
    /// Removes clitics and apostrophes from a folded word; true when the word carried "n't".
    static func remove(from word: inout WordLetters) -> Bool {
        let mark = UInt8(ascii: "'")
        while word.last == mark { word.removeLast() }
        guard let place = (0..<word.count).last(where: { word[$0] == mark }) else { return false }
        var isNegated = false
        if word.ends(in: "t", from: place + 1), place > 0, word[place - 1] == UInt8(ascii: "n") {
            isNegated = true
            word.cut(to: place - 1)
            restore(&word)
        } else if dropped.contains(where: { word.ends(in: $0, from: place + 1) }) {
            word.cut(to: place)
        }
        for index in (0..<word.count).reversed() where word[index] == mark { word.remove(at: index) }
        return isNegated
    }

    private static let dropped = ["s", "re", "ll", "ve", "d", "m"]

    /// "can't", "won't", "shan't" and "ain't" lose more than "n't".
    private static func restore(_ word: inout WordLetters) {
        for (short, full) in [("ca", "can"), ("wo", "will"), ("sha", "shall"), ("ai", "is")]
        where word.ends(in: short) {
            word = WordLetters(full.utf8)
            return
        }
    }
}

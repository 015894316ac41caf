/// One word of a hint with what its surroundings say about it.
struct HintWord: Hashable, Sendable {
    /// Lower case, without diacritics.
    let text: String
    let stem: String
    /// Written with a capital that no sentence start explains.
    let isName: Bool
    /// Written with a capital, for whatever reason.
    let isCapitalized: Bool
    /// Ends in an apostrophe and s and is followed by what is owned.
    var isPossessive: Bool
    /// Inside quotation marks: somebody's own words.
    let isQuoted: Bool
    var sentence: Int
    var clause: Int

    /// A number in digits or words from three on: three of a thing are enough of it.
    var isMany: Bool {
        if let number = Int(text) { return number >= 3 && number < 200 }
        return RuleWords.manyNumbers.contains(text)
    }

    var isNumber: Bool { text.first?.isNumber ?? false }
}

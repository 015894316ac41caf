import TextEncoding

/// One word of a hint with what its surroundings say about it.
struct HintWord: Hashable, Sendable {
    /// Lower case, without diacritics.
    let text: String
    /// Its fingerprint.
    let textPrint: UInt64
    /// The stem's fingerprint.
    let print: UInt64
    let kinds: WordKinds
    /// Could name a thing: no grammar, filler, person or plain verb.
    let isContent: Bool
    /// Written with a capital that no sentence start explains.
    let isName: Bool
    /// Written with a capital, for whatever reason.
    let isCapitalized: Bool
    /// Ends in an apostrophe and s and is followed by what is owned.
    var isPossessive: Bool
    /// Inside quotation marks: somebody's own words.
    let isQuoted: Bool
    let sentence: Int
    var clause: Int
    /// Begins with a digit.
    let isNumber: Bool

    /// A number in digits or words from three on: three of a thing are enough of it.
    var isMany: Bool {
        if let number = Int(text) { return number >= 3 && number < 200 }
        return RuleWords.manyNumbers.contains(text)
    }

    init(
        _ form: RuleWords.Form,
        isName: Bool,
        isCapitalized: Bool,
        isPossessive: Bool,
        isQuoted: Bool,
        sentence: Int,
        clause: Int
    ) {
        let text = form.text
        let textPrint = Fingerprint.of(text)
        let kinds = WordKinds.of(textPrint)
        let startsWithDigit = text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
        self.text = text
        self.textPrint = textPrint
        print = form.print
        self.kinds = kinds
        self.isNumber = startsWithDigit
        isContent =
            !kinds.contains(.nameless) && !startsWithDigit && text.utf8.count > 1 && !form.isStopWord
            && !RuleWords.isPlainVerb(form.print) && !RuleWords.isAdverb(text)
        self.isName = isName
        self.isCapitalized = isCapitalized
        self.isPossessive = isPossessive
        self.isQuoted = isQuoted
        self.sentence = sentence
        self.clause = clause
    }
}

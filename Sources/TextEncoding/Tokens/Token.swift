/// One word of a text: folded for comparing, stemmed for matching, with the place it came from.
package struct Token: Hashable, Sendable {
    /// Lower case, without diacritics or clitics: "Crème's" gives "creme".
    package let text: String
    /// The inflection-free form that phrases and rankings compare.
    package let stem: String
    /// Where the word starts in the source, in UTF-8 bytes.
    package let offset: Int
    /// True at the start of a clause; no phrase reaches across it.
    package let opensClause: Bool

    /// The stem as a number.
    package let fingerprint: UInt64
    /// True for a word that carries grammar rather than meaning.
    package let isStopWord: Bool

    package init(text: String, stem: String, offset: Int = 0, opensClause: Bool = false) {
        self.text = text
        self.stem = stem
        self.offset = offset
        self.opensClause = opensClause
        fingerprint = Fingerprint.of(stem)
        isStopWord = StopWords.contains(text)
    }

    /// For whoever has worked out the numbers.
    init(text: String, stem: WordTables.Stem, isStopWord: Bool, offset: Int, opensClause: Bool) {
        self.text = text
        self.stem = stem.text
        self.offset = offset
        self.opensClause = opensClause
        self.isStopWord = isStopWord
        fingerprint = stem.print
    }
}

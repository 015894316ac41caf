/// One word of a text as numbers: all that matching and ranking ask of it.
package struct WordPrint: Hashable, Sendable {
    /// The stem's fingerprint.
    package let stem: UInt64
    /// The fingerprint of the folded word.
    package let word: UInt64
    /// True at the start of a clause; no phrase reaches across it.
    package let opensClause: Bool
    /// True at the start of a sentence, or of what stands after a colon or a semicolon.
    package let opensSentence: Bool
    /// True for a word that carries grammar rather than meaning.
    package let isStopWord: Bool
}

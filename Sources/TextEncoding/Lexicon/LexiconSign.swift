/// What a text says about one subject: the phrase that says it best and how strongly.
package struct LexiconSign: Sendable {
    /// The subject's place among all there are: two signs are about the same when this is the same.
    package let number: Int
    package let subject: LexiconEntry.Subject
    package let strength: MatchStrength
    /// The lexicon's phrase, as it is written there.
    package let phrase: String
}

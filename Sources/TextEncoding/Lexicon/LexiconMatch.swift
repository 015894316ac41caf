package import KnotDomain

/// What a text says about one subject of the lexicon, with the phrase that says it best.
package struct LexiconMatch<Subject: Hashable & Sendable>: Hashable, Sendable {
    package let subject: Subject
    package let strength: MatchStrength
    /// The lexicon's phrase, as it is written there.
    package let phrase: String
    /// The tokens where it stands first.
    package let range: Range<Int>
    /// How many different phrases of this subject occur.
    package let phraseCount: Int
}

package typealias InterestMatch = LexiconMatch<KnownInterest>
package typealias VibeMatch = LexiconMatch<Vibe>
package typealias LoveLanguageMatch = LexiconMatch<LoveLanguage>

extension LexiconMatch where Subject == KnownInterest {
    package var interest: KnownInterest { subject }
}

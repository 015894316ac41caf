package import KnotDomain

/// One reviewed line of the lexicon: a phrase, what it is about and what it is worth.
package struct LexiconEntry: Hashable, Sendable {
    /// What an entry is about.
    package enum Subject: Hashable, Sendable {
        case interest(KnownInterest)
        case vibe(Vibe)
        case loveLanguage(LoveLanguage)
    }

    /// A strength, or a look-alike: words inside it count for nothing.
    package enum Role: Hashable, Sendable {
        case evidence(MatchStrength)
        case lookAlike
    }

    package let subject: Subject
    package let role: Role
    package let phrase: Phrase
}

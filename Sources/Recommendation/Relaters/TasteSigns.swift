package import KnotDomain

/// What of the vocabulary an offer's words show, each at its strongest place.
package struct TasteSigns: Sendable {
    /// How clearly something shows: in the title or a tag it is what the thing is, in the description it may be an aside.
    package enum Clarity: Int, Sendable, Comparable {
        /// A related word only.
        case faint = 1
        /// A telling word somewhere in the description.
        case mentioned = 2
        /// A telling word in the title or a tag.
        case evident = 3

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// One sign with the words that show it.
    package struct Sign: Sendable, Hashable {
        package let clarity: Clarity
        package let words: String
    }

    package var interests: [KnownInterest: Sign] = [:]
    package var vibes: [Vibe: Sign] = [:]
    package var loveLanguages: [LoveLanguage: Sign] = [:]

    /// How clearly the offer is about any interest, known or in the user's own words.
    package func sign(of interest: Interest, in offer: Offer) -> Sign? {
        if let known = interest.known { return interests[known] }
        return FreeInterest(interest).sign(in: offer)
    }
}

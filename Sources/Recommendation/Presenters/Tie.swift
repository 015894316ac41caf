package import KnotDomain

/// What ties an offer to its person, and what carries that: words that both have, or what they mean.
package enum Tie: Sendable, Hashable {
    /// A noted wish in the person's own words; `phrase` says what it asks for where the words alone do not show it.
    case quote(HintID, String, phrase: String?)
    /// A noted wish, told by what it asks for.
    case wish(HintID, phrase: String)
    /// A noted wish that neither it nor what it asks for is told of.
    case noted(HintID)
    /// A like, with the words of the offer that show it.
    case like(Interest, words: String)
    /// Nothing that is strong enough to be told.
    case none

    /// The note it rests on.
    package var hint: HintID? {
        switch self {
        case .quote(let hint, _, _), .wish(let hint, _), .noted(let hint): hint
        case .like, .none: nil
        }
    }
}

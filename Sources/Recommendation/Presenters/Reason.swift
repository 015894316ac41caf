import KnotDomain

/// A sentence or two for the person, and the claims it makes, each of which can be checked.
struct Reason: Sendable {
    /// One thing a reason says.
    enum Claim: Sendable, Hashable {
        /// The user noted something on that day.
        case noted(HintID, on: CivilDate)
        case likes(Interest)
        case arrives(daysBefore: Int)
        case happens(on: CivilDate)
        case withinBudget(total: Int)
        /// Only a pipeline without a budget rule of ours can show such a thing.
        case outsideBudget(total: Int)
        case priceUnknown
    }

    let text: String
    let claims: [Claim]
}

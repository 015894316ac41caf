import KnotDomain

/// A sentence or two for the person, the same for everybody else, and the claims they make, each of which can be checked.
struct Reason: Sendable {
    /// One thing a reason says.
    enum Claim: Sendable, Hashable {
        /// The user noted something on that day.
        case noted(HintID, on: CivilDate)
        /// These are the note's own words, whole sentences of it.
        case quoted(HintID, String)
        /// As the note was read, this would serve it.
        case asks(HintID, String)
        /// The note has these words, in whatever form.
        case speaks(HintID, String)
        case likes(Interest)
        /// The offer's title or description has these words.
        case says(String)
        /// The offer's tags have these words, which no card shows.
        case tagged(String)
        case arrives(daysBefore: Int)
        case happens(on: CivilDate)
        case withinBudget(total: Int)
        /// Only a pipeline without a budget rule of ours can show such a thing.
        case outsideBudget(total: Int)
        /// No price is listed.
        case priceUnknown
        /// The listed price is no longer what the page asks, and what it asks is not known.
        case priceLapsed
        /// A price is listed, and no rate leads from its currency to the budget's.
        case rateMissing(listed: Money)
        /// In the budget's currency the listed price is a number that nobody can hold.
        case beyondNumbers(listed: Money)
    }

    /// For the person whose notes these are, on the card.
    let text: String
    /// For wherever a text leaves: no note, no name, no word of health; facts and the known interests' names alone.
    let neutral: String
    let claims: [Claim]
}

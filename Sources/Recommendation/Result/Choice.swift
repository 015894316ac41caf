package import KnotDomain
package import StageGraph

/// One of the three, as it is shown and stored.
package struct Choice: Sendable {
    /// 1 to 3, and on from there for what is shown besides a set.
    package let position: Int
    package let ranked: Ranked<Offer>
    /// `available` or `unknown`.
    package let availability: String
    /// In the budget's currency; nil when unknown.
    package let budgetCents: Int?
    /// For the person, in their own words where there are some; it goes onto the card and nowhere else.
    package let reason: String
    /// For wherever a text leaves: without notes, names and words of health.
    package let neutralReason: String
    package let tie: Tie
    package let hints: [HintID]

    package var offer: Offer { ranked.item }
}

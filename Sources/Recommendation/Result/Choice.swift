package import KnotDomain
package import StageGraph

/// One of the three, as it is shown and stored.
package struct Choice: Sendable {
    /// 1 to 3.
    package let position: Int
    package let ranked: Ranked<Offer>
    /// `available` or `unknown`.
    package let availability: String
    /// In the budget's currency; nil when unknown.
    package let budgetCents: Int?
    package let reason: String
    package let hints: [HintID]

    package var offer: Offer { ranked.item }
}

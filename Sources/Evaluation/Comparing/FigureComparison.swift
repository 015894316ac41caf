/// One figure of two pipelines, vault by vault.
package struct FigureComparison: Sendable {
    package let figure: Figure
    /// New minus old.
    package let difference: PairedDifference
    package let estimate: Estimate
    /// By paired sign-flip; nil where there is nothing to compare.
    package let p: Double?
    /// After Holm's correction over all tested figures.
    package let holmP: Double?

    /// Whether the difference is in the right direction; nil where there is none.
    package var isImprovement: Bool? {
        guard let mean = difference.mean, mean != 0 else { return nil }
        return (mean > 0) == figure.isBetterWhenHigher
    }

    /// One-sided p of being worse by the figure's margin or more; nil where no margin was set.
    package var nonInferiorityP: Double? { figure.margin.flatMap { difference.nonInferiorityP(margin: $0) } }
    package var equivalenceP: Double? { figure.margin.flatMap { difference.equivalenceP(margin: $0) } }

    /// The smallest difference that this many vaults would show in 80 of 100 cases, at 5 % two-sided.
    package var smallestVisible: Double? {
        difference.sample.standardDeviation.map { $0 * (7.85 / Double(difference.sample.count)).squareRoot() }
    }
}

/// A selection after its check: who stands, who was lost and why, who was never needed.
package struct CheckedSelection<Item: GraphItem>: Sendable {
    /// One item that stands, with what the check found; the item may have been amended.
    package struct Standing: Sendable {
        package let ranked: Ranked<Item>
        /// `available` or `unknown`.
        package let verdict: String
        /// Nil for one of the first selection, else the position in the reserve it came from.
        package let refilledFrom: Int?

        package init(ranked: Ranked<Item>, verdict: String, refilledFrom: Int?) {
            self.ranked = ranked
            self.verdict = verdict
            self.refilledFrom = refilledFrom
        }
    }

    package let standing: [Standing]
    package let lost: [Removal]
    package let unused: [ItemID]
    package let relaxations: [Relaxation]
    /// Some of the unused that stand too, in the reserve's order, for who wants to see more than was selected.
    package let further: [Standing]

    package init(
        standing: [Standing],
        lost: [Removal],
        unused: [ItemID],
        relaxations: [Relaxation] = [],
        further: [Standing] = []
    ) {
        self.further = further
        self.standing = standing
        self.lost = lost
        self.unused = unused
        self.relaxations = relaxations
    }
}

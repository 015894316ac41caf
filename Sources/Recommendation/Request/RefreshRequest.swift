/// A re-roll: every rejection of all rounds of this occasion so far.
package struct RefreshRequest: Sendable, Hashable {
    /// One for the first refresh.
    package let round: Int
    package let rejections: [Rejection]

    package init(round: Int, rejections: [Rejection]) {
        self.round = round
        self.rejections = rejections
    }
}

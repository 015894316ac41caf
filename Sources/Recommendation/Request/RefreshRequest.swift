package import KnotDomain

/// A re-roll: every rejection of all rounds of this occasion so far, and the choices that nobody turned down.
package struct RefreshRequest: Sendable, Hashable {
    /// One for the first refresh.
    package let round: Int
    package let rejections: [Rejection]
    /// What stays of the last round, each at its place; the others are chosen around them.
    package let kept: [Kept]

    /// A choice that stays where it stands.
    package struct Kept: Sendable, Hashable {
        /// 1 to 3.
        package let position: Int
        package let candidateID: CandidateID

        package init(position: Int, candidateID: CandidateID) {
            self.position = position
            self.candidateID = candidateID
        }
    }

    package init(round: Int, rejections: [Rejection], kept: [Kept] = []) {
        self.round = round
        self.rejections = rejections
        self.kept = kept
    }

    /// Whether another one turns down the same items for the same reasons, and keeps the same.
    package func rejectsTheSame(as other: RefreshRequest) -> Bool {
        func rejected(_ request: RefreshRequest) -> [[String]] {
            request.rejections.filter(\.isRejected).map { [$0.candidateID.text, $0.reason.rawValue] }
        }
        return rejected(self) == rejected(other) && kept == other.kept
    }

    package func keeps(_ candidate: CandidateID) -> Bool { kept.contains { $0.candidateID == candidate } }
}

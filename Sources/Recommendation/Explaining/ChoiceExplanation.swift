package import KnotDomain

/// Why one of the three was chosen: the sum that is its score, and what the summands rest on.
package struct ChoiceExplanation: Sendable {
    /// 1 to 3.
    package let position: Int
    package let candidate: CandidateID
    package let title: String
    /// Its place in the ranking, from 1.
    package let rank: Int?
    package let score: Double
    /// They add up to the score, in this order.
    package let summands: [ScoreSummand]
    package let evidence: [EvidenceLine]
    package let availability: String
    /// Its place in the reserve when it came in for one that was lost, from 1.
    package let refilledFrom: Int?
    /// The sentences the person reads; nil unless hints may be shown, since they quote them.
    package let reason: String?
}

package import KnotDomain

/// One of the best that was not chosen, and what kept it out.
package struct RunnerUp: Sendable, Equatable {
    /// What kept it out.
    package enum Obstacle: Sendable, Equatable {
        /// The best set with it breaks a hard rule; the others are those it cannot stand beside.
        case rule(String, beside: [CandidateID])
        /// Every set with it is worth less; the others would make the best one.
        case lowerValue(by: Double, beside: [CandidateID])
        /// It would have been as good or better, but those who stood after the check were not sent away for it.
        case survivorsStay
        /// It was chosen or next in line and could not be had.
        case lost(reason: String, evidence: String)
        /// It came after the last one the search looks at.
        case beyondSearch(limit: Int)
        /// The selector goes by something else than the value of the whole set.
        case passedOver(selector: String)
    }

    package let candidate: CandidateID
    package let title: String
    /// Its place in the ranking, from 1.
    package let rank: Int
    package let score: Double
    /// How far its score is below the lowest of the three; negative when it is above.
    package let gap: Double
    package let obstacle: Obstacle
}

/// What learning from one vault came to.
package struct LearnOutcome: Sendable, Hashable {
    package enum Change: String, Sendable {
        /// Weights are stored that were not there, or were others.
        case learned
        /// What is stored says the same already.
        case unchanged
        /// There is no feedback, and nothing was ever learned.
        case silent
    }

    package let vault: PostgresUUID
    package let change: Change
    package let weights: LearnedWeights
}

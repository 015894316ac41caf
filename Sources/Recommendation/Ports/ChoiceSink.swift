package import StageGraph

/// Where a finished set goes.
///
/// Storing the same set twice must be the same as storing it once.
package protocol ChoiceSink: Sendable {
    /// Returns whether the set is stored.
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool
}

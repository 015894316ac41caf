import Recommendation
import StageGraph

/// Where a dry run's set goes: nowhere.
struct DiscardingSink: ChoiceSink {
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { false }
}

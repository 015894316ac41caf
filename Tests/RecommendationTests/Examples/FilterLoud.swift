import KnotDomain
import Recommendation
import StageGraph

/// Drops what shouts in its title.
struct FilterLoud: FilterStage {
    static let kind = "filter.loud"
    static let summary = "Drops titles with too many exclamation marks."
    static let limit = Parameter<Int>("limit", default: 2, in: 0...20, "Exclamation marks a title may have.")
    static let parameters = [limit.declaration]

    let limit: Int

    /// Runs once: whatever every verdict needs, from the pool and the declared inputs.
    func facts(for pool: Pool<Offer>, _ inputs: StageInputs, in context: StageContext) async throws(StageFailure) {}

    /// Sees one candidate and keeps it or drops it with a reason.
    func verdict(on item: Offer, given facts: Void) throws(StageFailure) -> FilterVerdict {
        let count = item.candidate.title.filter { $0 == "!" }.count
        return count <= limit ? .keep : .drop(reason: "loud", evidence: "\(count) exclamation marks")
    }
}

import KnotDomain
package import StageGraph
import TextEncoding

/// In a refresh, drops what earlier rounds showed and what their reasons rule out; every round of the occasion counts.
package struct DropRejected: FilterStage {
    package static let kind = "filter.rejected"
    package static let summary = "Drops what this occasion's earlier rounds showed or ruled out."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<PoolTaste>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    package init() {}

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> RefreshRules? {
        guard let refresh = try inputs.value(Self.brief).refresh else { return nil }
        return RefreshRules(
            refresh,
            brief: try inputs.value(Self.brief),
            taste: try inputs.value(Self.taste)
        )
    }

    package func verdict(on item: Offer, given rules: RefreshRules?) throws(StageFailure) -> FilterVerdict {
        rules?.verdict(on: item) ?? .keep
    }
}

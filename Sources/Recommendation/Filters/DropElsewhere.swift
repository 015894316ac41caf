import KnotDomain
package import StageGraph
import TextReading

/// Drops what happens in the wrong place; what is posted has no place.
package struct DropElsewhere: FilterStage {
    package static let kind = "filter.place"
    package static let summary = "Drops namesake towns and far cities; a neighbouring town stays."
    static let brief = InputPort<Brief>("brief")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, digest.declaration]

    static let nearKilometres = Parameter<Double>(
        "near_km",
        default: 50,
        in: 0...1_000,
        "Distance up to which another town is a neighbour."
    )
    package static let parameters = [nearKilometres.declaration]

    private let nearKilometres: Double

    package init(_ parameters: ParameterValues) {
        nearKilometres = parameters[Self.nearKilometres]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> PlaceVerdicts {
        PlaceVerdicts(
            .forRun(try inputs.value(Self.brief), try inputs.value(Self.digest), nearKilometres: nearKilometres),
            on: pool.items
        )
    }

    package func verdict(on item: Offer, given judge: PlaceVerdicts) throws(StageFailure) -> FilterVerdict {
        guard item.needsGoingThere else { return .keep }
        switch judge.verdict(on: item.candidate.location) {
        case .here: return .keep
        case .near(let kilometres): return .keepFlagged([kilometres == nil ? "town_unmapped" : "neighbouring_town"])
        case .unknown: return .keepFlagged(["place_unknown"])
        case .elsewhere(let why):
            let place = item.candidate.location
            return .drop(
                reason: "wrong_place",
                evidence: "\(place?.city ?? place?.state ?? place?.country ?? "?"): \(why)"
            )
        }
    }
}

import KnotDomain
package import StageGraph
import TextReading

/// How near something happens; what is posted has no place and no opinion.
package struct ScorePlace: ScoreStage {
    package static let kind = "score.place"
    package static let revision = 3
    package static let summary = "Scores how near an offer is; a neighboring town costs a little."
    static let brief = InputPort<Brief>("brief")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, digest.declaration]

    static let near = Parameter<Double>("near", default: 0.7, in: 0...1, "Score of a neighboring town.")
    static let unknown = Parameter<Double>("unknown", default: 0.6, in: 0...1, "Score of an unknown place.")
    package static let parameters = [near.declaration, unknown.declaration]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    /// Whether it is known to be near: a town that nobody mapped may be at a large region's other end.
    static func saysNear(_ evidence: Evidence) -> Bool {
        evidence.kind == "place" && ["here", "near"].contains(evidence.ref)
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> PlaceVerdicts {
        PlaceVerdicts(
            // How far is too far is the filter's to say.
            .forRun(try inputs.value(Self.brief), try inputs.value(Self.digest), nearKilometres: .infinity),
            on: pool.items
        )
    }

    package func contribution(of item: Offer, given judge: PlaceVerdicts) throws(StageFailure) -> Contribution? {
        guard item.candidate.type != .gift || item.needsGoingThere else { return nil }
        return switch judge.verdict(on: item.candidate.location) {
        case .here: Contribution(1, evidence: [Evidence(kind: "place", ref: "here", weight: 1)])
        case .near(let kilometres):
            Contribution(
                parameters[Self.near],
                evidence: [Evidence(kind: "place", ref: kilometres == nil ? "unmapped" : "near", weight: 1)]
            )
        // No evidence: it is not known to be near.
        case .named: Contribution(parameters[Self.near])
        case .unknown: Contribution(parameters[Self.unknown])
        case .elsewhere: Contribution(0)
        }
    }
}

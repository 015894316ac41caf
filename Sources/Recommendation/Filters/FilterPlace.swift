import KnotDomain
package import StageGraph
import TextReading

/// Drops what happens in the wrong place; what is posted has no place.
package struct FilterPlace: FilterStage {
    package static let kind = "filter.place"
    package static let revision = 3
    package static let summary = "Drops towns that only share the name, and distant cities; neighboring towns stay."
    static let brief = InputPort<Brief>("brief")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, digest.declaration]

    static let nearKilometres = Parameter<Double>(
        "near_km",
        default: 50,
        in: 0...1_000,
        "Largest distance of a neighboring town."
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
        case .near(.some): return .keepFlagged(["neighbouring_town"])
        case .near(nil), .named: return .keepFlagged(["town_unmapped"])
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

/// A judge's verdicts on the places of a pool, each place judged once.
package struct PlaceVerdicts: Sendable {
    private let judge: PlaceJudge
    private let verdicts: [Place: PlaceVerdict]

    init(_ judge: PlaceJudge, on offers: [Offer]) {
        self.judge = judge
        var verdicts: [Place: PlaceVerdict] = [:]
        for offer in offers where offer.needsGoingThere {
            if let place = offer.candidate.location, verdicts[place] == nil {
                verdicts[place] = judge.verdict(on: place)
            }
        }
        self.verdicts = verdicts
    }

    func verdict(on place: Place?) -> PlaceVerdict {
        place.flatMap { verdicts[$0] } ?? judge.verdict(on: place)
    }
}

extension PlaceJudge {
    /// The judge for one run: home is the vault's, and towns count as named where a steering hint names them.
    static func forRun(_ brief: Brief, _ digest: HintDigest, nearKilometres: Double) -> PlaceJudge {
        PlaceJudge(
            home: brief.vault.location,
            hints: digest.ranked.filter { $0.weight > 0 }.map(\.words),
            nearKilometres: nearKilometres
        )
    }
}

extension Offer {
    /// Whether somebody has to go where it is: a posted gift comes by itself.
    var needsGoingThere: Bool {
        candidate.location != nil && !(candidate.type == .gift && candidate.shipsInDays != nil)
    }

    /// Whether it comes by itself, and nobody says when; what can be fetched is there in time.
    var isParcelOfUnknownDelivery: Bool { isParcelWithoutDays && shippingDays == nil }

    /// In how many days it comes: those that are listed, or none where its own words say that it comes at once.
    var shippingDays: Int? {
        if let listed = candidate.shipsInDays { return listed }
        return isParcelWithoutDays && InstantDelivery.isSaid(by: candidate.title, candidate.description) ? 0 : nil
    }

    private var isParcelWithoutDays: Bool {
        candidate.type == .gift && candidate.shipsInDays == nil && candidate.location == nil
    }
}

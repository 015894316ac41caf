import HintRules
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph

/// The caller's world as the stages see it.
struct OutsidePorts: Sendable {
    let providers: [OutsideProvider]
    let availability: any AvailabilityCheck

    static func vault(_ json: [UInt8]) throws(RecommenderError) -> Vault {
        let reader = try JSONReader(parsing: json, as: .vault)
        guard let vault = Vault(reading: reader), reader.problems.list.isEmpty else {
            throw RecommenderError(.vault, reader.problems.list)
        }
        return vault
    }

    func stagePorts(for vault: Vault, _ occasion: Occasion, at now: Instant) -> StagePorts {
        let world = VaultInHand(vault: vault, moment: now)
        return StagePorts(
            request: RunRequest(vaultID: vault.id, occasion: OccasionChoice(occasion), asOf: now, isLive: true),
            vaults: world,
            reader: RulesReader(),
            fallback: RulesReader(),
            providers: providers,
            checker: OutsideChecker(base: availability),
            zones: ZoneCache(),
            rates: .embedded,
            clock: world,
            sink: world
        )
    }

    /// `choice-of-three`, asking these providers.
    func plan() throws(RecommenderError) -> Plan {
        let names = providers.map(\.name.rawValue)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw RecommenderError(.provider, "two providers are called \"\(twice)\"")
        }
        do throws(PipelineError) {
            let loader = PipelineLoader(source: ShippedPipelines())
            let shipped = try loader.load(ShippedPipelines.standard)
            let layer = ExperimentLayer(file: "providers", patch: Self.patch(of: shipped, asking: names))
            let catalog = StageCatalog.knot(with: providers.flatMap(\.capabilities))
            return try Plan(try loader.load(ShippedPipelines.standard, experiments: [layer]), catalog: catalog)
        } catch {
            throw RecommenderError(.pipeline, error.description)
        }
    }

    /// Takes the shipped sources away and puts one for each of these names in their place.
    private static func patch(of shipped: PipelineDefinition, asking names: [String]) -> JSONValue {
        var nodes = JSONObject()
        for node in shipped.nodes where node.kind == SourceProvider.kind { nodes[node.id.text] = .null }
        nodes["aggregate"] = ["inputs": ["pools": JSONValue(names.map { "provider-\($0)" })]]
        let sources = names.map { name -> JSONValue in
            [
                "id": .string("provider-\(name)"), "kind": .string(SourceProvider.kind), "after": "plan",
                "inputs": ["plan": "plan"], "parameters": ["provider": .string(name)], "policy": "optional",
                "wait": "3s", "life": "4s",
            ]
        }
        return ["nodes": .object(nodes), "add": .array(sources)]
    }
}

/// A caller's provider; what it throws is an outage of the provider.
struct OutsideProvider: CandidateProvider {
    let name: ProviderName
    let base: any OfferProvider

    var capabilities: [ProviderCapability] { [ProviderCapability(name)] }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let offers: [Offer]
        do {
            offers = try await base.offers(for: OfferQuery(phrases: query.phrases, limit: query.limit))
        } catch {
            throw StageFailure(.provider, code: "offers_failed", "\(name.rawValue): \(error)")
        }
        if let stranger = offers.first(where: { $0.candidate.provider != name }) {
            throw StageFailure(
                .provider,
                code: "offers_strange",
                "\(name.rawValue) gave an offer of \(stranger.provider)"
            )
        }
        return offers.map(\.candidate)
    }
}

/// A caller's look at an offer, told as what a page would say.
private struct OutsideChecker: AvailabilityChecker {
    let base: any AvailabilityCheck

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        do {
            switch try await base.isAvailable(Offer(candidate: candidate)) {
            case true?: return AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
            case false?: return AvailabilityProbe(status: 200, signal: .outOfStock, price: .notLooked)
            case nil: return AvailabilityProbe(status: nil, signal: .none, price: .notLooked)
            }
        } catch {
            throw StageFailure(.provider, code: "look_failed", "\(error)")
        }
    }
}

/// One vault, the moment of the call, and nowhere to store: that is the caller's.
private struct VaultInHand: VaultSource, WallClock, ChoiceSink {
    let vault: Vault
    let moment: Instant

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault { vault }
    func now() -> Instant { moment }
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { false }
}

extension OccasionChoice {
    fileprivate init(_ occasion: Occasion) {
        switch occasion {
        case .justBecause: self = .tier(.justBecause)
        case .minorOccasion: self = .tier(.minorOccasion)
        case .majorMilestone: self = .tier(.majorMilestone)
        case .milestone(let id): self = .milestone(MilestoneID(id))
        }
    }
}

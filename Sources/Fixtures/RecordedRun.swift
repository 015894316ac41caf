import HintRules
package import JSONDocument
package import KnotDomain
package import Recommendation
import Shipped
package import StageGraph

/// A recording that can be run again: strictly under its own plan, and as the world it saw under any other.
package struct RecordedRun: Sendable {
    package let cassette: Cassette
    package let recorded: RecordedRequest

    /// What a run is given in place of the outside.
    package struct World: Sendable {
        package let ports: StagePorts
        fileprivate let effects: [RecordedEffect]
        fileprivate let missing: CassettePlayer.Missing

        /// Anew for each run, since the player of a recording is used up by one.
        package func options(seed: UInt64, deadline: Duration? = nil) -> RunOptions {
            var options = RunOptions(seed: seed, subject: ports.request.vaultID.text, deadline: deadline)
            options.effects = .replaying(CassettePlayer(effects, missing: missing))
            return options
        }
    }

    /// Nil, with every problem noted, when the recording's request cannot be read.
    package init?(_ cassette: Cassette, reading reader: JSONReader) {
        guard let recorded = RecordedRequest(reading: reader) else { return nil }
        self.cassette = cassette
        self.recorded = recorded
    }

    /// The world for a run with this plan and seed: closed for the recorded ones, open for all others.
    package func world(for plan: Plan, seed: UInt64, _ engine: Engine) async -> World {
        isOf(plan, seed: seed) ? closed : await open(engine)
    }

    /// Whether these are the recorded plan and seed.
    package func isOf(_ plan: Plan, seed: UInt64) -> Bool {
        plan.identity == recordedPlan?.identity && seed == cassette.seed
    }

    /// Every question must be one that was recorded; behind the recording there is nothing.
    package var closed: World {
        let nowhere = ReplayPorts(readerName: recorded.reader, providers: providers)
        var ports = ports(recorded.embedder.map { ReplayEmbedder(model: $0, profile: recorded.profile) })
        ports.vaults = nowhere
        ports.reader = nowhere
        ports.providers = .answering([nowhere])
        ports.checker = nowhere
        ports.clock = nowhere
        ports.sink = nowhere
        return World(ports: ports, effects: cassette.effects, missing: .fails)
    }

    /// Other questions are answered from what the recording knows besides, and what it does not know is an outage.
    package func open(_ engine: Engine) async -> World {
        let embedder = recorded.embedder.map {
            RecordedEmbedder(model: $0, profile: recorded.profile, cassette.effects)
        }
        let world = World(ports: ports(embedder), effects: cassette.effects, missing: .asksPort)
        if let embedder, embedder.hasVectors, let plan = recordedPlan {
            // The recorded plan asks for its vectors once more, which says whose they are; its set is of no interest.
            var options = world.options(seed: cassette.seed)
            let effects = cassette.effects.filter { $0.kind != .embedding }
            options.effects = .replaying(CassettePlayer(effects, missing: .asksPort))
            _ = await engine.report(plan, ports: world.ports, options: options)
        }
        return world
    }

    /// The candidates whose page somebody looked at, whatever came of it.
    package var lookedAt: Set<CandidateID> { Set(cassette.effects.compactMap(RecordedOutside.looked)) }

    /// Nil for a plan of another version that this one cannot run.
    private var recordedPlan: Plan? {
        try? Plan(PipelineDefinition(json: cassette.plan, file: "recording"), catalog: .knot(with: providers))
    }

    private var providers: [ProviderCapability] { RecordedOutside.capabilities(in: cassette.effects) }

    private func ports(_ embedder: (any TextEmbedder)?) -> StagePorts {
        let outside = RecordedOutside(cassette, recorded)
        return StagePorts(
            request: recorded.request,
            vaults: outside,
            reader: outside,
            fallback: RulesReader(),
            providers: [outside],
            checker: outside,
            embedder: embedder,
            zones: ZoneCache(),
            rates: recorded.rates,
            clock: outside,
            sink: outside
        )
    }
}

/// What a recording knows of the outside, for a plan that asks other questions than the recorded one did.
///
/// A provider answers with everything it was heard to say; what nobody asked it, or looked at, is not known and fails
/// like an outage, so that the plan falls back by its own rules.
package struct RecordedOutside: VaultSource, HintReader, CandidateProvider, AvailabilityChecker, ChoiceSink, WallClock {
    /// The reader that made the recorded readings.
    package let name: String
    package let capabilities: [ProviderCapability]
    private let vault: Vault?
    private let reading: VaultReading?
    private let time: Instant
    private let answers: [ProviderName: Result<[Candidate], StageFailure>]
    private let looks: [CandidateID: Result<AvailabilityProbe, StageFailure>]

    package init(_ cassette: Cassette, _ recorded: RecordedRequest) {
        name = recorded.reader
        var vault: Vault?
        var reading: VaultReading?
        var time: Instant?
        var looks: [CandidateID: Result<AvailabilityProbe, StageFailure>] = [:]
        for effect in cassette.effects {
            guard case .value(let value) = effect.answer else {
                if case .failure(let failure) = effect.answer, let id = Self.looked(at: effect) {
                    looks[id] = .failure(failure)
                }
                continue
            }
            switch effect.kind {
            case .vaultRead: vault = Vault(reading: JSONReader(value))
            case .clock: time = value.string.flatMap(Instant.init(iso8601:))
            case .hintReading:
                let hints = Set(vault?.hints.map(\.id) ?? [])
                reading = VaultReading(reading: JSONReader(value), knownHints: hints)
            case .availabilityProbe:
                if let id = Self.looked(at: effect), let probe = AvailabilityProbe(json: value) {
                    looks[id] = .success(probe)
                }
            default: break
            }
        }
        self.vault = vault
        self.reading = reading
        self.time = time ?? recorded.request.asOf ?? Instant(millisecondsSinceEpoch: 0)
        self.looks = looks
        answers = Self.answers(in: cassette.effects)
        capabilities = Self.capabilities(in: cassette.effects)
    }

    /// The providers that were asked, with what their questions show of them, and the well-known ones that were not.
    ///
    /// A question is known by what its provider could do then: a service of a well-known name is none of the fixture's.
    static func capabilities(in effects: [RecordedEffect]) -> [ProviderCapability] {
        var found: [ProviderCapability] = []
        for effect in effects where effect.kind == .providerSearch {
            guard let name = effect.key["provider"]?.string.flatMap(ProviderName.init(rawValue:)) else { continue }
            let limit = effect.key["limit"]?.int
            let place = found.firstIndex { $0.name == name }
            // Each node has a limit of its own; the provider's is at least the highest.
            let most = place.map { max(found[$0].mostCandidates ?? 0, limit ?? 0) } ?? limit
            let capability = ProviderCapability(
                name,
                types: effect.key["types"]?.array?.compactMap { $0.string.flatMap(CandidateType.init) } ?? [],
                searchesPlaces: effect.key["place"]?.isNull == false,
                searchesPrices: effect.key["budget"]?.isNull == false,
                // Whoever was told all is told all again.
                isInProcess: effect.key["withholds"] == nil,
                mostCandidates: most
            )
            if let place { found[place] = capability } else { found.append(capability) }
        }
        let asked = Set(found.map(\.name))
        return found + ProviderCapability.wellKnown.filter { !asked.contains($0.name) }
    }

    fileprivate static func looked(at effect: RecordedEffect) -> CandidateID? {
        guard effect.kind == .availabilityProbe else { return nil }
        return effect.key.array?.first?.string.map { CandidateID($0) }
    }

    /// Each provider's answers to all questions it was asked, each candidate once; a failure where it had nothing else.
    private static func answers(in effects: [RecordedEffect]) -> [ProviderName: Result<[Candidate], StageFailure>] {
        var answers: [ProviderName: Result<[Candidate], StageFailure>] = [:]
        var asked: Set<[UInt8]> = []
        for effect in effects where effect.kind == .providerSearch {
            guard let name = effect.key["provider"]?.string.flatMap(ProviderName.init(rawValue:)) else { continue }
            switch (effect.answer, answers[name]) {
            case (.failure(let failure), nil): answers[name] = .failure(failure)
            case (.failure, _): break
            case (.value(let value), let earlier):
                // A question that was asked twice is answered once.
                guard asked.insert(JSONWriter.bytes(effect.key, style: .canonical)).inserted else { continue }
                let found = JSONReader(value.recordedCandidates).items().compactMap { Candidate(reading: $0) }
                guard case .success(let known)? = earlier else {
                    answers[name] = .success(found)
                    continue
                }
                let ids = Set(known.map(\.id))
                answers[name] = .success(known + found.filter { !ids.contains($0.id) })
            }
        }
        return answers
    }

    private static func unknown(_ what: String) -> StageFailure {
        StageFailure(.provider, code: StageFailure.notRecorded, "the recording says nothing of \(what)")
    }

    // MARK: The ports

    package func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        guard let vault, vault.id == id else {
            throw StageFailure(.data, code: "no_vault", "the recording holds no vault \(id)")
        }
        return vault
    }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading {
        if let reading { return reading }
        guard name == RulesReader.name else { throw Self.unknown("what the hints were read as") }
        return RulesReader().read(vault, tier: tier, asOf: asOf)
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        guard let answer = answers[query.provider] else { throw Self.unknown(query.provider.rawValue) }
        return try answer.get()
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard let look = looks[candidate.id] else { throw Self.unknown("the page of \(candidate.id)") }
        return try look.get()
    }

    /// A replay is never stored.
    package func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { false }

    package func now() -> Instant { time }
}

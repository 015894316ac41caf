import HintRules
package import KnotDomain
package import Recommendation
package import StageGraph

/// A fixture with everything that stands beside it: the readings, the rates, and the digest of all that was read.
package struct FixtureCase: Sendable {
    /// The file's name without its ending.
    package let stem: String
    package let fixture: Fixture
    package let reader: any HintReader
    package let rates: Rates
    /// SHA-256 over the bytes of fixture, readings and rates.
    package let digest: String
    /// Set when a named occasion overrides the fixture's own.
    package let occasion: OccasionChoice
    /// Set for the recording of a refresh.
    package let refresh: RefreshRequest?
    /// Providers that a recording has nothing of but how they failed.
    package let lostProviders: [ProviderName: StageFailure]
    /// Whether it is a recording's, which may be of somebody's vault.
    package let isRecorded: Bool

    package init(
        stem: String,
        fixture: Fixture,
        reader: any HintReader,
        rates: Rates,
        digest: String,
        occasion: OccasionChoice,
        refresh: RefreshRequest? = nil,
        lostProviders: [ProviderName: StageFailure] = [:],
        isRecorded: Bool = false
    ) {
        self.stem = stem
        self.fixture = fixture
        self.reader = reader
        self.rates = rates
        self.digest = digest
        self.occasion = occasion
        self.refresh = refresh
        self.lostProviders = lostProviders
        self.isRecorded = isRecorded
    }
}

/// A clock that stands still.
package struct FixtureClock: WallClock {
    private let instant: Instant

    package init(_ instant: Instant) {
        self.instant = instant
    }

    package func now() -> Instant { instant }
}

/// One provider of a fixture: the candidates that are its own, in file order, whatever it is asked.
package struct FixtureProvider: CandidateProvider {
    package let capabilities: [ProviderCapability]
    private let candidates: [Candidate]
    private let failure: StageFailure?

    /// With a failure it has nothing but that.
    package init(_ fixture: Fixture, _ name: ProviderName, failure: StageFailure? = nil) {
        capabilities = [.known(as: name)]
        let own = fixture.candidates.filter { $0.provider == name }
        // What came twice comes twice: the run counts it.
        let again = fixture.duplicateCandidates.compactMap { id in own.first { $0.id == id } }
        candidates = own + again
        self.failure = failure
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        if let failure { throw failure }
        return candidates
    }
}

/// A fixture as the outside world: its vault, its providers, and what an availability check would find.
package struct FixtureWorld: VaultSource, AvailabilityChecker, ChoiceSink {
    private let fixture: Fixture

    package init(_ fixture: Fixture) {
        self.fixture = fixture
    }

    package func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        guard id == fixture.vault.id else {
            throw StageFailure(.data, code: "no_vault", "fixture \(fixture.name) holds no vault \(id)")
        }
        return fixture.vault
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard let fact = fixture.facts[candidate.id] else {
            throw StageFailure(.provider, code: "no_page", "fixture \(fixture.name) has no page for \(candidate.id)")
        }
        return AvailabilityProbe(fact)
    }

    /// A fixture run is never stored.
    package func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { false }
}

extension StagePorts {
    /// The ports of a fixture run: nothing outside the case is ever touched.
    ///
    /// The fixture is all there is, so a provider that the plan asks and the fixture does not hold answers with nothing.
    package init(
        _ fixtureCase: FixtureCase,
        asking asked: Set<ProviderName> = Set(ProviderCapability.wellKnown.map(\.name)),
        asOf: Instant?,
        refresh: RefreshRequest? = nil,
        embedder: (any TextEmbedder)? = nil,
        zones: any ZoneSource,
        clock: any WallClock
    ) {
        let fixture = fixtureCase.fixture
        let world = FixtureWorld(fixture)
        let held = Set(fixture.candidates.map(\.provider)).union(fixtureCase.lostProviders.keys)
        self.init(
            request: RunRequest(
                vaultID: fixture.vault.id,
                occasion: fixtureCase.occasion,
                asOf: asOf ?? fixture.asOf,
                refresh: refresh ?? fixtureCase.refresh
            ),
            vaults: world,
            reader: fixtureCase.reader,
            fallback: RulesReader(),
            providers: held.union(asked).map {
                FixtureProvider(fixture, $0, failure: fixtureCase.lostProviders[$0])
            },
            checker: world,
            embedder: embedder,
            zones: zones,
            rates: fixtureCase.rates,
            clock: clock,
            sink: world
        )
    }
}

extension OccasionChoice {
    init(_ request: FixtureRequest) {
        switch request {
        case .milestone(let id): self = .milestone(id)
        case .occasion(let tier): self = .tier(tier)
        }
    }
}

package import KnotDomain
package import StageGraph
package import TextEncoding
package import VectorSearch

/// All that stages may reach outside themselves, given once for a run.
package struct StagePorts: Sendable {
    package var request: RunRequest
    package var vaults: any VaultSource
    package var reader: any HintReader
    /// Reads what the reader leaves out.
    package var fallback: any FallbackReader
    /// By the names under which they answer.
    package var providers: [ProviderName: any CandidateProvider]
    package var checker: any AvailabilityChecker
    package var embedder: (any TextEmbedder)?
    package var zones: any ZoneSource
    package var rates: Rates
    package var clock: any WallClock
    package var sink: any ChoiceSink
    /// Offers that were met before; only time depends on it.
    package var offerCache: OfferCache
    /// Those of the plan that stages are made for, which whoever plans a search keeps to.
    package var filters = PlanFilters()

    package init(
        request: RunRequest,
        vaults: any VaultSource,
        reader: any HintReader,
        fallback: any FallbackReader,
        providers: [any CandidateProvider],
        checker: any AvailabilityChecker,
        embedder: (any TextEmbedder)? = nil,
        zones: any ZoneSource,
        rates: Rates,
        clock: any WallClock,
        sink: any ChoiceSink,
        offerCache: OfferCache = .shared
    ) {
        self.request = request
        self.vaults = vaults
        self.reader = reader
        self.fallback = fallback
        self.providers = .answering(providers)
        self.checker = checker
        self.embedder = embedder
        self.zones = zones
        self.rates = rates
        self.clock = clock
        self.sink = sink
        self.offerCache = offerCache
    }
}

/// Where vaults are read from.
package protocol VaultSource: Sendable {
    /// Throws class data, code `no_vault`, when there is none with this id.
    func vault(_ id: VaultID) async throws(StageFailure) -> Vault
}

/// Works out what hints mean; the result is validated like any other input.
package protocol HintReader: Sendable {
    /// `rules`, `recorded`, or a model's name; kept beside what it read.
    var name: String { get }

    /// Readings of some or all of a vault's hints; what is left out, the fallback reads.
    func reading(of vault: Vault, tier: OccasionTier, asOf: Instant) async throws(StageFailure) -> VaultReading
}

/// A reader that is always there: in process, never failing, with the same answer every time.
package protocol FallbackReader: HintReader {
    /// A reading of every hint, in the order of the vault's hints.
    func read(_ vault: Vault, tier: OccasionTier, asOf: Instant) -> VaultReading

    /// Whether a hint by itself rules anything out.
    func rulesOut(_ hint: Hint, of vault: Vault, asOf: Instant) -> Bool
}

/// A service that candidates come from; an empty answer means it has none, and an outage is thrown.
package protocol CandidateProvider: Sendable {
    /// What it can do under each name that it answers to; a service has one, a catalogue or a recording may have several.
    var capabilities: [ProviderCapability] { get }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate]
}

extension [ProviderName: any CandidateProvider] {
    /// Providers by their names; of two that answer to one name, the later.
    package static func answering(_ providers: [any CandidateProvider]) -> Self {
        providers.reduce(into: [:]) { all, provider in
            for capability in provider.capabilities { all[capability.name] = provider }
        }
    }
}

/// Looks whether one item can still be had.
package protocol AvailabilityChecker: Sendable {
    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe

    /// Told of the looks that are to come, the most wanted first, before the first of them.
    func expects(_ candidates: [Candidate])

    /// Told of a look that whoever asked for it did not wait for, or for which there was no time any more.
    func gaveUp(on candidate: Candidate, _ failure: StageFailure)
}

extension AvailabilityChecker {
    package func expects(_ candidates: [Candidate]) {}
    package func gaveUp(on candidate: Candidate, _ failure: StageFailure) {}
}

/// Turns texts into vectors of one model.
package protocol TextEmbedder: Sendable {
    var model: String { get }
    /// What its cosines mean; nil where nobody found out, and then they are not to be held against any threshold.
    var profile: CosineProfile? { get }

    /// One embedding for each text, in order.
    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding]

    /// The same, where the first so many texts are those of offers, which are public: their vectors may outlive the run.
    func embeddings(of texts: [String], offers: Int) async throws(StageFailure) -> [Embedding]

    /// The vectors that are there already, in the order of the texts.
    func ready(_ texts: [String]) -> [Embedding?]

    /// Bytes of text that are best asked for in one call; nil for one call, however many.
    var bytesOfCall: Int? { get }

    /// Told of texts that the next run for the same vault asks for again.
    func expect(again texts: [String])
}

extension TextEmbedder {
    package func embeddings(of texts: [String], offers: Int) async throws(StageFailure) -> [Embedding] {
        try await embeddings(of: texts)
    }
    package func ready(_ texts: [String]) -> [Embedding?] { texts.map { _ in nil } }
    package var bytesOfCall: Int? { nil }
    package func expect(again texts: [String]) {}
    package var profile: CosineProfile? { .reference }
}

/// A store of finished sets; storing the same set twice is the same as storing it once.
package protocol ChoiceSink: Sendable {
    /// Returns whether the set is stored.
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool
}

/// Tells the time of day; stages never ask the machine.
package protocol WallClock: Sendable {
    func now() -> Instant
}

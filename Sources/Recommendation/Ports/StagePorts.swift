package import KnotDomain
package import VectorSearch

/// All that stages may reach outside themselves, given once for a run.
package struct StagePorts: Sendable {
    package var request: RunRequest
    package var vaults: any VaultSource
    package var reader: any HintReader
    package var providers: [ProviderName: any CandidateProvider]
    package var checker: any AvailabilityChecker
    package var embedder: (any TextEmbedder)?
    package var similarity: any SimilarityEngine
    package var zones: any ZoneSource
    package var rates: Rates
    package var clock: any WallClock
    package var sink: any ChoiceSink
    /// Offers that were met before; only time depends on it.
    package var shelf: OfferShelf

    package init(
        request: RunRequest,
        vaults: any VaultSource,
        reader: any HintReader,
        providers: [ProviderName: any CandidateProvider],
        checker: any AvailabilityChecker,
        embedder: (any TextEmbedder)? = nil,
        similarity: any SimilarityEngine = KernelSimilarity(),
        zones: any ZoneSource,
        rates: Rates,
        clock: any WallClock,
        sink: any ChoiceSink,
        shelf: OfferShelf = .shared
    ) {
        self.request = request
        self.vaults = vaults
        self.reader = reader
        self.providers = providers
        self.checker = checker
        self.embedder = embedder
        self.similarity = similarity
        self.zones = zones
        self.rates = rates
        self.clock = clock
        self.sink = sink
        self.shelf = shelf
    }
}

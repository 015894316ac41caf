import KnotDomain
import Recommendation
import StageGraph
import VaultStore

/// The database's catalogue with a file's candidates behind it; what the file says stands for the item's own page.
struct JoinedCatalogue: CandidateProvider, AvailabilityChecker {
    private let provider: CatalogueProvider
    private let checker: CatalogueChecker
    private let file: CatalogueFile?
    private let embedder: (any TextEmbedder)?

    init(
        provider: CatalogueProvider,
        checker: CatalogueChecker,
        file: CatalogueFile?,
        embedder: (any TextEmbedder)?
    ) {
        self.provider = provider
        self.checker = checker
        self.file = file
        self.embedder = embedder
    }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let stored = try await provider.candidates(for: query)
        guard let file, stored.count < query.limit else { return stored }
        let found = try await file.candidates(for: query, embedder: embedder)
        // What there is was asked for with the limit, so alone it needs no cut.
        guard !stored.isEmpty else { return found }
        let ids = Set(stored.map(\.id))
        return Array((stored + found.filter { !ids.contains($0.id) }).prefix(query.limit))
    }

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        if let file, file.holds(candidate) {
            return AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        }
        return try await checker.probe(candidate)
    }
}

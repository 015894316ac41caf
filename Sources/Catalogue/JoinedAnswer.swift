package import KnotDomain
package import Recommendation
package import StageGraph

extension ProviderQuery {
    /// What several providers have together, each id once, the first provider's before the others'.
    ///
    /// One that fails is left out and noted as long as another has something.
    package func answer(of providers: [any CandidateProvider]) async throws(StageFailure) -> [Candidate] {
        var found: [Candidate] = []
        var ids: Set<CandidateID> = []
        var failures: [StageFailure] = []
        for provider in providers where found.count < limit {
            do throws(StageFailure) {
                found += try await provider.candidates(for: self).filter { ids.insert($0.id).inserted }
            } catch {
                guard error.failureClass.isRetryable else { throw error }
                failures.append(error)
            }
        }
        if found.isEmpty, let failure = failures.first { throw failure }
        for failure in failures { shortfalls.note("a part of the catalogue was left out: \(failure.detail)") }
        return Array(found.prefix(limit))
    }
}

extension NamedCatalogue {
    /// What searches it for a run.
    package func provider(embedder: (any TextEmbedder)?, threads: Int) -> any CandidateProvider {
        switch self {
        case .file(let file): FileProvider(file: file, embedder: embedder)
        case .folder(let snapshot): SnapshotProvider(snapshot, embedder: embedder, threads: threads)
        }
    }

    /// True when it says this very thing of an offer.
    package func holds(_ candidate: Candidate) throws(StageFailure) -> Bool {
        do throws(CatalogueError) {
            return switch self {
            case .file(let file): file.holds(candidate)
            case .folder(let snapshot): try snapshot.item(withID: candidate.id)?.candidate == candidate
            }
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "\(error)")
        }
    }
}

/// A file of candidates, in memory, as a provider.
private struct FileProvider: CandidateProvider {
    let file: CatalogueFile
    let embedder: (any TextEmbedder)?
    let capabilities = ProviderCapability.wellKnown

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await file.candidates(for: query, embedder: embedder)
    }
}

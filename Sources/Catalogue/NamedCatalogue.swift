package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization

/// A catalogue that somebody named: a file of candidates, in memory, or a folder, on the disk.
package enum NamedCatalogue: Sendable {
    case file(CatalogueFile)
    case folder(CatalogueSnapshot)

    package var file: CatalogueFile? { if case .file(let file) = self { file } else { nil } }
    package var snapshot: CatalogueSnapshot? { if case .folder(let snapshot) = self { snapshot } else { nil } }
}

extension NamedCatalogue {
    /// Whose offers there are, or were, by name.
    package var providers: [ProviderName] {
        switch self {
        case .file(let file): file.indexed.providers
        case .folder(let snapshot): snapshot.providers
        }
    }

    /// What searches it for a run that asks these providers.
    package func provider(
        embedder: (any TextEmbedder)?,
        asked: Set<ProviderName>? = nil,
        threads: Int
    ) -> any CandidateProvider {
        switch self {
        case .file(let file): FileProvider(file: file, embedder: embedder)
        case .folder(let snapshot):
            SnapshotProvider(snapshot, embedder: embedder, asked: asked, threads: threads)
        }
    }

    /// What a look at an offer's page would find, as far as is known here; nil where it does not say this very thing of it.
    package func probe(_ candidate: Candidate) throws(StageFailure) -> AvailabilityProbe? {
        do throws(CatalogueError) {
            let item =
                switch self {
                case .file(let file): file.item(withID: candidate.id)
                case .folder(let snapshot): try snapshot.item(withID: candidate.id)
                }
            guard let item, item.candidate == candidate else { return nil }
            guard !item.isBlocked else { return AvailabilityProbe(status: 403, signal: .none, price: .notLooked) }
            return AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "\(error)")
        }
    }
}

extension ProviderCapability {
    /// The well-known providers and others of which there is something.
    package static func known(besides others: [ProviderName]) -> [ProviderCapability] {
        let names = Set(wellKnown.map(\.name))
        return wellKnown + others.filter { !names.contains($0) }.map { known(as: $0) }
    }

    /// The same of what lies in this process, or in the vaults' own database.
    package var inProcess: ProviderCapability { ProviderCapability(name, types: types, isInProcess: true) }
}

/// A file of candidates, in memory, as a provider.
private struct FileProvider: CandidateProvider {
    let file: CatalogueFile
    let embedder: (any TextEmbedder)?
    var capabilities: [ProviderCapability] { file.capabilities }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await file.candidates(for: query, embedder: embedder)
    }
}

/// A catalogue that somebody named, as it is now: of a folder, what was committed last.
///
/// What cannot be read is left alone, and the last that could be is the answer.
package final class FollowedCatalogue: Sendable {
    private struct State {
        var known: NamedCatalogue
        /// What could not be read is not tried again as long as it is the same.
        var refused: SegmentStamp?
    }

    private let state: Mutex<State>

    package init(_ named: NamedCatalogue) { state = Mutex(State(known: named)) }

    package func now() -> NamedCatalogue {
        let (known, refused) = state.withLock { ($0.known, $0.refused) }
        guard case .folder(let snapshot) = known, let stamp = CatalogueSnapshot.stamp(of: snapshot.folder),
            stamp != snapshot.stamp, stamp != refused
        else { return known }
        do throws(CatalogueError) {
            let fresh = NamedCatalogue.folder(try CatalogueSnapshot(folder: snapshot.folder))
            state.withLock { $0.known = fresh }
            return fresh
        } catch {
            state.withLock { $0.refused = stamp }
            return known
        }
    }
}

/// A catalogue that somebody named as a provider of one run, which finds all its offers in what there is when it first asks.
///
/// Many runs are made ready long before they begin.
package final class FollowedProvider: CandidateProvider {
    package let capabilities: [ProviderCapability]
    private let followed: FollowedCatalogue
    private let embedder: (any TextEmbedder)?
    private let asked: Set<ProviderName>
    private let threads: Int
    private let found = Mutex<(any CandidateProvider)?>(nil)

    package init(
        _ followed: FollowedCatalogue,
        embedder: (any TextEmbedder)?,
        asked: Set<ProviderName>,
        threads: Int
    ) {
        self.followed = followed
        self.embedder = embedder
        self.asked = asked
        self.threads = threads
        capabilities = ProviderCapability.known(besides: followed.now().providers).map(\.inProcess)
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await provider().candidates(for: query)
    }

    private func provider() -> any CandidateProvider {
        if let known = found.withLock({ $0 }) { return known }
        let now = followed.now().provider(embedder: embedder, asked: asked, threads: threads)
        return found.withLock { found in
            // Another of the run's sources may have been first.
            found = found ?? now
            return found ?? now
        }
    }
}

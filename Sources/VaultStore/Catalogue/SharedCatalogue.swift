package import Catalogue
package import KnotDomain
package import PostgresClient
import StageGraph
import Synchronization
import VectorSearch

/// Everybody's items in the database, read for a process and made ready to be searched; what changes in the table later is
/// seen within seconds.
package final class SharedCatalogue: Sendable {
    /// Where there are more, a copy of them on the disk is searched, or the database where there is none.
    package static let mostItems = 20_000
    /// After this time, whoever asks next looks whether anything has changed.
    package static let usualAge = Duration.seconds(5)

    /// What there is for everybody.
    package struct Contents: Sendable {
        /// Nil where there are too many to hold.
        package let indexed: IndexedCatalogue?
        /// Too many to hold, on the disk.
        package var copy: CatalogueSnapshot?
        package let count: Int
        /// How many of them have a vector of the model.
        package let vectorCount: Int

        /// Whose items there are, or were, by name; empty where the database is not asked for it.
        package var providers: [ProviderName] { indexed?.providers ?? copy?.providers ?? [] }

        /// Where the database searches, it searches what is there now.
        fileprivate var ages: Bool { indexed != nil || copy != nil }
    }

    /// What was read, and when somebody last looked at whether it is still so.
    private struct Known {
        let contents: Contents
        /// Where the table stood, of which nothing is known after the first reading.
        var mark: String?
        var lookedAt: ContinuousClock.Instant
    }

    private struct State {
        var known: Known?
        var isReading = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private enum Turn {
        case known(Contents)
        /// The caller reads, or looks at what has changed since.
        case own(Known?)
        case others
    }

    private let pool: ConnectionPool
    private let model: String?
    private let limit: Duration
    private let most: Int
    private let age: Duration
    private let copied: @Sendable () async -> CatalogueSnapshot?
    private let state = Mutex(State())

    /// With a model, the vectors that it made are read with the items; `copied` gives the copy of more than `most`, brought
    /// up to date.
    package init(
        _ pool: ConnectionPool,
        model: String?,
        limit: Duration = .seconds(30),
        most: Int = SharedCatalogue.mostItems,
        age: Duration = SharedCatalogue.usualAge,
        copied: @escaping @Sendable () async -> CatalogueSnapshot? = { nil }
    ) {
        self.copied = copied
        self.pool = pool
        self.model = model
        self.limit = limit
        self.most = most
        self.age = age
    }

    /// What was read by now.
    package var known: Contents? { state.withLock { $0.known?.contents } }

    /// What there is.
    ///
    /// Whoever asks while it is read for the first time waits for it; what changes later is read by one who asks, while all
    /// others go on with what is known.
    package func read() async throws(PostgresError) -> Contents {
        while true {
            switch turn() {
            case .known(let contents): return contents
            case .others: await waitForOthers()
            case .own(let old):
                do throws(PostgresError) {
                    let known = try await reread(old)
                    finish(known)
                    return known.contents
                } catch {
                    // What could not be read is not kept: the next one who asks tries again. What was read before stays.
                    finish(old.map { Known(contents: $0.contents, mark: $0.mark, lookedAt: .now) })
                    guard let old else { throw error }
                    return old.contents
                }
            }
        }
    }

    private func turn() -> Turn {
        state.withLock { state in
            if let known = state.known,
                state.isReading || !known.contents.ages || ContinuousClock.now - known.lookedAt < age
            {
                return .known(known.contents)
            }
            guard !state.isReading else { return .others }
            state.isReading = true
            return .own(state.known)
        }
    }

    private func waitForOthers() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.isReading else { return true }
                state.waiting.append(continuation)
                return false
            }
            // Resumed once: here, or by whoever reads.
            if isOver { continuation.resume() }
        }
    }

    private func finish(_ known: Known?) {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state = State(known: known)
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// What there is now: what is known, where nothing has changed since.
    private func reread(_ old: Known?) async throws(PostgresError) -> Known {
        // Most processes are over before they look again, and ask for no mark.
        guard let old else { return Known(contents: try await contents(), mark: nil, lookedAt: .now) }
        if old.contents.copy != nil {
            // A copy is brought up to date by whoever asks for it; where that fails, it is as good as it was.
            let now = try await contents()
            return Known(contents: now.ages ? now : old.contents, mark: nil, lookedAt: .now)
        }
        var changes = try await CatalogueChanges.since(old.mark, in: pool, model: model, pageSize: 1, limit: limit)
        if !changes.isWhole, try await changes.next() == nil {
            return Known(contents: old.contents, mark: changes.mark, lookedAt: .now)
        }
        // What comes after the mark and before this reading is read twice.
        return Known(contents: try await contents(), mark: changes.mark, lookedAt: .now)
    }

    private func contents() async throws(PostgresError) -> Contents {
        guard try await !rows(CatalogueStatements.hasShared(beyond: most)).only().decode("has_shared", as: Bool.self)
        else {
            guard let copy = await copied() else { return try await inDatabase() }
            return Contents(indexed: nil, copy: copy, count: copy.count, vectorCount: copy.vectorCount)
        }
        let rows = try await rows(CatalogueStatements.shared(most: most, model: model))
        // More may have come in just now.
        guard rows.count <= most else { return try await inDatabase() }
        var items = FoundItems(model: model)
        _ = try items.addAll(rows)
        do throws(VectorSearchError) {
            let indexed = try IndexedCatalogue(items.candidates, vectors: items.vectors, model: model)
            return Contents(indexed: indexed, count: indexed.count, vectorCount: indexed.vectorCount)
        } catch {
            // Without room for them here, the database searches.
            return try await inDatabase()
        }
    }

    private func inDatabase() async throws(PostgresError) -> Contents {
        let counts = try await rows(CatalogueStatements.sharedCounts(model: model)).only()
        return Contents(indexed: nil, count: try counts.decode("items"), vectorCount: try counts.decode("vectors"))
    }

    private func rows(_ query: SQLQuery) async throws(PostgresError) -> Rows {
        try await pool.read([query], until: .now + limit)[0]
    }
}

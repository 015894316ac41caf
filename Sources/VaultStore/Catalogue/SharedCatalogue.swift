package import Catalogue
package import PostgresClient
import StageGraph
import Synchronization
import VectorSearch

/// Everybody's items in the database, read once for a process and made ready once to be searched.
///
/// What comes into the table later is seen by the next process.
package final class SharedCatalogue: Sendable {
    /// Where there are more, a copy of them on the disk is searched, or the database where there is none.
    package static let mostItems = 20_000

    /// What there is for everybody.
    package struct Contents: Sendable {
        /// Nil where there are too many to hold.
        package let indexed: IndexedCatalogue?
        /// Too many to hold, on the disk.
        package var copy: CatalogueSnapshot?
        package let count: Int
        /// How many of them have a vector of the model.
        package let vectorCount: Int
    }

    private enum State {
        case unread
        case reading([CheckedContinuation<Void, Never>])
        case read(Contents)
    }

    private let pool: ConnectionPool
    private let model: String?
    private let limit: Duration
    private let most: Int
    private let copied: @Sendable () async -> CatalogueSnapshot?
    private let state = Mutex(State.unread)

    /// With a model, the vectors that it made are read with the items; `copied` gives the copy of more than `most`.
    package init(
        _ pool: ConnectionPool,
        model: String?,
        limit: Duration = .seconds(30),
        most: Int = SharedCatalogue.mostItems,
        copied: @escaping @Sendable () async -> CatalogueSnapshot? = { nil }
    ) {
        self.copied = copied
        self.pool = pool
        self.model = model
        self.limit = limit
        self.most = most
    }

    /// What was read by now.
    package var known: Contents? {
        state.withLock { if case .read(let contents) = $0 { contents } else { nil } }
    }

    /// What there is, read where it was not; whoever asks while it is read waits for it.
    package func read() async throws(PostgresError) -> Contents {
        while true {
            switch await turn() {
            case .read(let contents): return contents
            case .reading: continue
            case .unread: break
            }
            do throws(PostgresError) {
                let contents = try await contents()
                finish(.read(contents))
                return contents
            } catch {
                // Not kept: the next one who asks tries again.
                finish(.unread)
                throw error
            }
        }
    }

    /// What there is; `unread` means that the caller has to read, and `reading` that somebody else did just now.
    private func turn() async -> State {
        let found = state.withLock { state -> State in
            let found = state
            if case .unread = state { state = .reading([]) }
            return found
        }
        guard case .reading = found else { return found }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard case .reading(let waiting) = state else { return true }
                state = .reading(waiting + [continuation])
                return false
            }
            // Resumed once: here, or by whoever reads.
            if isOver { continuation.resume() }
        }
        return found
    }

    private func finish(_ end: State) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state = end }
            if case .reading(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
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

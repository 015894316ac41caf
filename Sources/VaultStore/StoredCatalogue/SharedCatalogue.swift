package import PostgresClient
import StageGraph
import Synchronization
import VectorSearch

/// Everybody's items in the database, read once for a process and made ready once to be searched.
///
/// What comes into the table later is seen by the next process.
package final class SharedCatalogue: Sendable {
    /// Where there are more, every search asks the database.
    package static let mostItems = 10_000

    /// What there is for everybody.
    package struct Contents: Sendable {
        /// Nil where there are too many to hold.
        package let shelved: ShelvedCatalogue?
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
    private let state = Mutex(State.unread)

    /// With a model, the vectors that it made are read with the items.
    package init(
        _ pool: ConnectionPool,
        model: String?,
        limit: Duration = .seconds(30),
        most: Int = SharedCatalogue.mostItems
    ) {
        self.pool = pool
        self.model = model
        self.limit = limit
        self.most = most
    }

    /// The items where they lie in memory by now.
    package var known: ShelvedCatalogue? {
        state.withLock { if case .read(let contents) = $0 { contents.shelved } else { nil } }
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
        let counts = try await rows(CatalogueStatements.sharedCounts(model: model)).only()
        let outside = Contents(
            shelved: nil,
            count: try counts.decode("items"),
            vectorCount: try counts.decode("vectors")
        )
        guard outside.count <= most else { return outside }
        let rows = try await rows(CatalogueStatements.shared(most: most, model: model))
        // More may have come in since they were counted.
        guard rows.count <= most else { return outside }
        var items = FoundItems(model: model)
        _ = try items.addAll(rows)
        do throws(VectorSearchError) {
            let shelved = try ShelvedCatalogue(items.candidates, vectors: items.vectors, model: model)
            return Contents(shelved: shelved, count: shelved.count, vectorCount: shelved.vectorCount)
        } catch {
            // Without room for them here, the database searches.
            return outside
        }
    }

    private func rows(_ query: SQLQuery) async throws(PostgresError) -> Rows {
        try await pool.read([query], until: .now + limit)[0]
    }
}

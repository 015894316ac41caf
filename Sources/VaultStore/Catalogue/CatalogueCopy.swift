package import Catalogue
import Digest
package import PostgresClient

/// A copy of everybody's items on the disk that follows the table, so that a process searches them itself.
///
/// Processes share it: one brings it up to date while the others read what was there last.
package struct CatalogueCopy: Sendable {
    /// Why there is no copy.
    package enum Failure: Error, Sendable {
        case database(PostgresError)
        case folder(CatalogueError)
        /// It was not made in time; what is there is as it was.
        case late
    }

    package let folder: String
    private let pool: ConnectionPool
    private let model: String?
    private let threads: Int

    /// How often the one who makes the first copy is looked after.
    private static let pause = Duration.milliseconds(100)

    /// The copy of a database's items with the vectors of a model, in a folder of such copies.
    package init(
        of pool: ConnectionPool,
        model: String?,
        in folders: String,
        threads: Int = 1
    ) async throws(PostgresError) {
        self.pool = pool
        self.model = model
        self.threads = threads
        let mark = try await CatalogueChanges.standing(in: pool, model: model, limit: .seconds(30))
        folder = folders + "/" + SHA256Digest(of: "\(mark.database) \(model ?? "")").hex.prefix(32)
    }

    /// Whether there is one, that only has to be brought up to date.
    package var isThere: Bool { opened != nil }

    /// The copy as it is, nil where there is none that can be read.
    private var opened: CatalogueSnapshot? {
        do throws(CatalogueError) {
            return try CatalogueSnapshot(folder: folder)
        } catch {
            // Damaged or missing, it is made anew.
            return nil
        }
    }

    /// The copy with all that was committed when this was asked, made where there is none; `progress` is told how many
    /// items were read.
    package func refreshed(
        until deadline: ContinuousClock.Instant,
        progress: (Int) -> Void = { _ in }
    ) async throws(Failure) -> CatalogueSnapshot {
        var isCaughtUp = false
        var isMade = false
        while true {
            let known = opened
            let mark = known?.mark
            var changes = try await changes(since: mark)
            if let known, !changes.isWhole {
                var look = changes
                if isCaughtUp { return known }
                if try await next(of: &look) == nil { return known }
            }
            let outcome: Result<Void, Failure>
            do throws(CatalogueError) {
                // Made and not to be read: making it again would help as little.
                if isMade, changes.isWhole { return try CatalogueSnapshot(folder: folder) }
                let writer = try CatalogueWriter(folder: folder, startsAnew: changes.isWhole, threads: threads)
                // Another process may have been at it between our look and the lock.
                guard opened?.mark == mark else { continue }
                outcome = try await apply(&changes, writer, until: deadline, progress)
            } catch {
                guard error.code == .inUse else { throw .folder(error) }
                if let known, !changes.isWhole { return known }
                guard ContinuousClock.now < deadline else { throw .late }
                do { try await ContinuousClock().sleep(for: Self.pause) } catch { throw .late }
                continue
            }
            try outcome.get()
            (isMade, isCaughtUp) = (true, !changes.isWhole)
        }
    }

    /// Takes all changes into the copy; what a first copy misses of what came meanwhile is in the next changes.
    private func apply(
        _ changes: inout CatalogueChanges,
        _ writer: CatalogueWriter,
        until deadline: ContinuousClock.Instant,
        _ progress: (Int) -> Void
    ) async throws(CatalogueError) -> Result<Void, Failure> {
        var count = 0
        while true {
            let page: CatalogueChanges.Page?
            do throws(Failure) { page = try await next(of: &changes) } catch { return .failure(error) }
            guard let page else { break }
            guard ContinuousClock.now < deadline else { return .failure(.late) }
            try writer.remove(page.withdrawn)
            try writer.add(page.items.map { CatalogueItem($0.candidate, vector: $0.vector) })
            count += page.items.count
            progress(count)
        }
        try writer.commit(mark: changes.mark)
        _ = writer.mergeAll()
        return .success(())
    }

    private func changes(since mark: String?) async throws(Failure) -> CatalogueChanges {
        do throws(PostgresError) {
            return try await CatalogueChanges.since(mark, in: pool, model: model)
        } catch {
            throw .database(error)
        }
    }

    private func next(of changes: inout CatalogueChanges) async throws(Failure) -> CatalogueChanges.Page? {
        do throws(PostgresError) {
            return try await changes.next()
        } catch {
            throw .database(error)
        }
    }
}

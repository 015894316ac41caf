package import Catalogue
import KnotDomain
package import PostgresClient

/// Everybody's offers of one source on their way into the database, a few thousand in each transaction.
///
/// Stopped at any moment, it goes on where it was: what says the same is not written again and keeps its vector.
package struct CatalogueImport: Sendable {
    /// What became of the offers; of a dry run, what would become of them.
    package struct Counts: Sendable, Hashable {
        package internal(set) var added = 0
        package internal(set) var changed = 0
        package internal(set) var unchanged = 0
        package internal(set) var withdrawn = 0

        package init() {}

        package static func += (sum: inout Counts, more: Counts) {
            sum.added += more.added
            sum.changed += more.changed
            sum.unchanged += more.unchanged
            sum.withdrawn += more.withdrawn
        }
    }

    package let source: String
    package private(set) var counts = Counts()

    private let pool: ConnectionPool
    private let isDryRun: Bool
    private let limit: Duration
    /// The rows of all offers that came so far.
    private var rows = RowNumbers()
    /// What a dry run would add, for it has no rows.
    private var unwritten: Set<CandidateID> = []

    /// So many rows are withdrawn in each transaction.
    private static let page = 5_000

    /// The role has to own the table: no other may write everybody's offers.
    package init(_ pool: ConnectionPool, source: String, isDryRun: Bool, limit: Duration) {
        self.pool = pool
        self.source = source
        self.isDryRun = isDryRun
        self.limit = limit
    }

    /// Brings offers in, all together, and returns the places of those whose id came before: they are left out.
    package mutating func add(_ offers: [CatalogueOffer]) async throws(PostgresError) -> [Int] {
        guard !offers.isEmpty else { return [] }
        let found = try await pool.read([CatalogueRows.look(at: offers, of: source)], until: .now + limit)[0]
        var repeated: [Int] = []
        var wanted: [CatalogueOffer] = []
        var ids: Set<CandidateID> = []
        var counts = Counts()
        for (place, offer) in offers.enumerated() {
            let row = try found[place].decode("id", as: Int64?.self)
            let isNew = row.map { !rows.contains($0) } ?? !unwritten.contains(offer.candidate.id)
            guard ids.insert(offer.candidate.id).inserted, isNew else {
                repeated.append(place)
                continue
            }
            if let row, try found[place].decode("is_same", as: Bool.self) {
                counts.unchanged += 1
                rows.insert(row)
                continue
            }
            if row == nil { counts.added += 1 } else { counts.changed += 1 }
            wanted.append(offer)
            if isDryRun {
                if let row { rows.insert(row) } else { unwritten.insert(offer.candidate.id) }
            }
        }
        if !isDryRun, !wanted.isEmpty {
            for row in try await store(wanted) { rows.insert(row) }
        }
        self.counts += counts
        return repeated
    }

    private func store(_ offers: [CatalogueOffer]) async throws(PostgresError) -> [Int64] {
        let (source, statement) = (source, CatalogueRows.storing(offers, of: source))
        return try await pool.write(until: .now + limit) { transaction throws(PostgresError) in
            // Two imports of one source would lock its rows in the order of their files, and each wait for the other.
            _ = try await transaction.run(
                "select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(\(source), 7165074262157318))::text"
            )
            let stored = try await transaction.run(statement)
            return .written(try stored.map { row throws(PostgresError) in try row.decode("id") }, .byRepeating)
        }
    }

    /// Withdraws all offers of the source that did not come.
    package mutating func withdrawRest(progress: (Counts) -> Void = { _ in }) async throws(PostgresError) {
        var last = Int64.min
        while true {
            let (after, source) = (last, source)
            let found = try await pool.read(
                [
                    """
                    select c.id from public.catalogue_items c
                    where c.vault_id is null and c.source = \(source) and c.id > \(after)
                    order by c.id limit \(Self.page)
                    """
                ],
                until: .now + limit
            )
            let ids = try found[0].map { row throws(PostgresError) in try row.decode("id", as: Int64.self) }
            guard let end = ids.last else { return }
            let gone = ids.filter { !rows.contains($0) }
            if isDryRun {
                counts.withdrawn += gone.count
            } else if !gone.isEmpty {
                counts.withdrawn += try await delete(gone)
            }
            progress(counts)
            last = end
        }
    }

    private func delete(_ ids: [Int64]) async throws(PostgresError) -> Int {
        let source = source
        return try await pool.write(until: .now + limit) { transaction throws(PostgresError) in
            let done = try await transaction.run(
                """
                delete from public.catalogue_items c
                where c.id = any (\(ids)) and c.vault_id is null and c.source = \(source)
                """
            )
            return .written(done.affected ?? 0, .byRepeating)
        }
    }
}

/// Numbers of rows, a bit for each: of a million rows that came in one after another it takes an eighth of a megabyte.
struct RowNumbers: Sendable {
    private static let wordsOfBlock: Int64 = 1_024

    private var blocks: [Int64: [UInt64]] = [:]

    func contains(_ number: Int64) -> Bool {
        let (block, word, bit) = Self.place(of: number)
        return blocks[block].map { $0[word] & bit != 0 } ?? false
    }

    mutating func insert(_ number: Int64) {
        let (block, word, bit) = Self.place(of: number)
        blocks[block, default: Array(repeating: 0, count: Int(Self.wordsOfBlock))][word] |= bit
    }

    private static func place(of number: Int64) -> (block: Int64, word: Int, bit: UInt64) {
        let word = number >> 6
        return (word >> 10, Int(word & (wordsOfBlock - 1)), 1 << UInt64(number & 63))
    }
}

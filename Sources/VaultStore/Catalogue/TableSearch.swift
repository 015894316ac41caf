import Catalogue
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import VectorSearch

/// A search of the catalogue's table in the time that there is: by words and by meaning, else by words, else by fewer words.
///
/// What came in time is the answer, and what it lacks is noted. It throws where nothing came at all.
struct TableSearch {
    /// In the order in which they were found, the vault's own first.
    private(set) var items: FoundItems
    /// What is offered even where no word fits: the vault's own, and what was taken without a search.
    private(set) var unsearched: [Candidate] = []
    private let pool: ConnectionPool
    private let wanted: CatalogueQuery
    private let time: SearchTime
    private let model: String?
    private var shortfalls: [String] = []
    private var failure: PostgresError?

    /// Where there is no time for all phrases, the search by words is for the first of them.
    private static let fewPhrases = [6, 2]
    /// Where fewer are found, the first of all that may be shown stand behind them: unknown words never exclude an offer.
    private static let fewest = 24
    /// So many scans of all vectors are one statement's.
    private static let vectorsAtOnce = 3

    init(_ pool: ConnectionPool, _ wanted: CatalogueQuery, model: String?, in time: SearchTime) {
        self.pool = pool
        self.wanted = wanted
        self.time = time
        self.model = model
        items = FoundItems(model: model)
    }

    /// `known` are offers of the vault's own that came with it.
    mutating func run(
        _ phrases: [CatalogueIndex.Phrase],
        of vault: PostgresUUID?,
        withShared: Bool,
        known: FoundItems?,
        notes: ShortfallLog
    ) async throws(PostgresError) {
        if let vault {
            let own = CatalogueStatements.some(
                wanted,
                among: CatalogueStatements.whose(vault, withShared: false),
                model: model
            )
            if try await !found([own], until: time.half) {
                if let known { items = known.allowed(by: wanted) }
                shortfalls.append("of the vault's own offers there are only those that came with it")
            }
            unsearched = items.candidates
        }
        let whose = CatalogueStatements.whose(vault, withShared: withShared)
        try await searchWords(among: whose)
        let vectors = phrases.compactMap(\.vector).filter { $0.norm > 0 && $0.model == model }
        try await searchVectors(vectors.map { PostgresVector($0.values) }, among: whose)
        if withShared, wanted.rules != nil, items.candidates.count < Self.fewest {
            let all = CatalogueStatements.some(wanted, among: whose, model: model, byRules: true)
            if try await found([all], until: time.end) { unsearched = items.candidates }
        }
        guard let failure, !shortfalls.isEmpty else { return }
        if items.candidates.isEmpty, items.problems.isEmpty { throw failure }
        notes.note("\(shortfalls.joined(separator: "; ")): \(failure.advice)")
    }

    private mutating func searchWords(among whose: SQLQuery) async throws(PostgresError) {
        let whole = wanted.phrases.count
        for count in [whole] + Self.fewPhrases.filter({ $0 < whole }) {
            let search = CatalogueStatements.byWords(wanted.first(count), among: whose, model: model)
            guard try await found([search], until: time.half) else { continue }
            if count < whole { shortfalls.append("only \(count) of \(whole) phrases were searched for by words") }
            return
        }
        shortfalls.append("nothing was searched for by words")
        _ = try await found([CatalogueStatements.some(wanted, among: whose, model: model)], until: time.end)
        unsearched = items.candidates
    }

    private mutating func searchVectors(_ vectors: [PostgresVector], among whose: SQLQuery) async throws(PostgresError)
    {
        guard let model else { return }
        for start in stride(from: 0, to: vectors.count, by: Self.vectorsAtOnce) {
            let searches = vectors[start..<min(start + Self.vectorsAtOnce, vectors.count)].map {
                CatalogueStatements.byVector(wanted, among: whose, $0, model: model)
            }
            guard try await found(searches, after: [CatalogueStatements.vectorPath], until: time.end) else {
                shortfalls.append("only \(start) of \(vectors.count) phrases were searched for by meaning")
                return
            }
        }
    }

    /// Takes what statements find; false where the time ended before them, or the database failed in a way that may pass.
    private mutating func found(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery] = [],
        until end: ContinuousClock.Instant
    ) async throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            for rows in try await pool.read(queries, after: preparations, until: end) { _ = try items.add(rows) }
            return true
        } catch {
            guard error.stageFailure.failureClass.isRetryable else { throw error }
            failure = error
            return false
        }
    }
}

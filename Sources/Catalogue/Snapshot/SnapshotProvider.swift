package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization
import TextReading
import Threads
import VectorSearch

/// A catalogue on the disk as a provider: one search for a run, of which each of its providers takes its part.
package final class SnapshotProvider: CandidateProvider {
    /// What a run asks for, which is found once for all providers.
    ///
    /// The rules are held, so that no other run's can stand at their address.
    private struct Pool {
        let phrases: [String]
        let rules: OfferRules?
        let candidates: [Candidate]
        /// What the search had no time for.
        let shortfall: String?
    }

    package let snapshot: CatalogueSnapshot
    package let capabilities: [ProviderCapability]
    private let embedder: (any TextEmbedder)?
    private let types: [ProviderName: Set<CandidateType>]
    private let pool: Int
    private let threads: Int
    private let latest = Mutex<Pool?>(nil)
    private let turn = AsyncGate()

    /// So many offers are found for a run, of all providers together: with twice as many, what is shown is no better
    /// (`catalogue-hidden`), and what follows the search costs as much again.
    package static let usualPool = 300
    /// Where fewer than these pass the rules, others are found as well.
    private static let fewest = OfferRules.fewest

    /// A pool is so many offers of all providers together that are asked, nil for all there are; more than one thread is for where no other run waits for them.
    package init(
        _ snapshot: CatalogueSnapshot,
        embedder: (any TextEmbedder)?,
        asked: Set<ProviderName>? = nil,
        pool: Int = SnapshotProvider.usualPool,
        threads: Int = 1
    ) {
        self.snapshot = snapshot
        self.embedder = embedder
        self.pool = pool
        self.threads = threads
        capabilities = ProviderCapability.known(besides: snapshot.providers).map(\.inProcess)
        // What nobody asks for must not fill the pool.
        let sought = capabilities.filter { asked?.contains($0.name) ?? true }
        types = Dictionary(uniqueKeysWithValues: sought.map { ($0.name, Set($0.types)) })
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let wanted = CatalogueQuery(query)
        guard wanted.limit > 0, snapshot.count > 0 else { return [] }
        let pool = try await pool(for: wanted, query)
        if let shortfall = pool.shortfall { query.shortfalls.note(shortfall) }
        return Array(pool.candidates.lazy.filter { wanted.allows($0) }.prefix(wanted.limit))
    }

    /// The pool of a run: found by whichever of its providers asks first, while the others wait.
    private func pool(for wanted: CatalogueQuery, _ query: ProviderQuery) async throws(StageFailure) -> Pool {
        let rules = query.rules
        let time = query.answerBy.map { SearchTime(for: query, atMost: ContinuousClock.now.duration(to: $0)) }
        if let known = known(wanted.phrases, rules) { return known }
        await turn.enter()
        defer { turn.leave() }
        if let known = known(wanted.phrases, rules) { return known }
        let vectors: [Embedding?]
        if let embedder, snapshot.model == embedder.model {
            vectors = try await wanted.vectors(of: wanted.phrases, embedder)
        } else {
            vectors = wanted.phrases.map { _ in nil }
        }
        let phrases = zip(wanted.phrases, vectors).map { CatalogueIndex.Phrase(text: $0, vector: $1) }
        var missed = Missed()
        let items = try search(phrases, rules, in: time, &missed)
        (embedder as? any VectorMemory)?.remember(items)
        let found = Pool(
            phrases: wanted.phrases,
            rules: rules,
            candidates: items.map(\.candidate),
            shortfall: missed.sentence(of: snapshot.count)
        )
        latest.withLock { $0 = found }
        return found
    }

    private func known(_ phrases: [String], _ rules: OfferRules?) -> Pool? {
        latest.withLock { pool in
            pool.flatMap { $0.rules === rules && $0.phrases == phrases ? $0 : nil }
        }
    }

    /// How many offers a run's searches had no time for.
    private struct Missed {
        var byWordsAlone = 0
        var unsearched = 0

        func sentence(of count: Int) -> String? {
            guard byWordsAlone + unsearched > 0 else { return nil }
            return "there was no time to search \(unsearched) of \(count) offers, and \(byWordsAlone) more by meaning"
        }
    }

    private func search(
        _ phrases: [CatalogueIndex.Phrase],
        _ rules: OfferRules?,
        in time: SearchTime?,
        _ missed: inout Missed
    ) throws(StageFailure) -> [CatalogueItem] {
        var query = SnapshotQuery(phrases)
        query.threads = threads
        query.time = time
        query.limit = pool
        query.filter = rules.map { CatalogueFilter($0) } ?? CatalogueFilter()
        query.filter.types = types
        guard let rules else { return try find(query, &missed).items }
        var found = try passing(&query, rules, &missed).items
        if !query.phrases.isEmpty { try fill(&found, query, rules, &missed) }
        guard found.count < Self.fewest else { return found }
        // Hardly anything may be shown: what fails the rules is found too, so that a run can say by what.
        var open = query
        open.without = [:]
        open.filter = CatalogueFilter()
        open.filter.types = types
        open.limit = Self.fewest + found.count
        let ids = Set(found.map(\.candidate.id))
        return found + (try find(open, &missed).items.filter { !ids.contains($0.candidate.id) })
    }

    /// Puts others behind what fits, the first of all that may be shown: unknown words never exclude an offer.
    ///
    /// Where all there is fits into a pool, nothing is left out; where not, each provider of which hardly anything may be
    /// shown has others, as when it is asked for itself in a file.
    private func fill(
        _ found: inout [CatalogueItem],
        _ query: SnapshotQuery,
        _ rules: OfferRules,
        _ missed: inout Missed
    ) throws(StageFailure) {
        var all = query
        all.phrases = []
        let room = pool - min(pool, found.count)
        if room > 0, try isWhole(all) {
            return Self.add(try passing(&all, rules, &missed).items, to: &found, most: room)
        }
        let fitting = Dictionary(grouping: found.lazy.map(\.candidate), by: \.provider)
        var lacking: [ProviderName] = []
        for provider in types.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            if try !rules.passEnough(fitting[provider] ?? []) { lacking.append(provider) }
        }
        for provider in lacking {
            all.filter.types = types.filter { $0.key == provider }
            all.limit = max(Self.fewest, room / lacking.count)
            Self.add(try self.passing(&all, rules, &missed).items, to: &found, most: all.limit)
        }
    }

    /// Whether all that a query allows fits into a pool.
    private func isWhole(_ query: SnapshotQuery) throws(StageFailure) -> Bool {
        var query = query
        query.limit = pool == .max ? pool : pool + 1
        do throws(CatalogueError) {
            return try snapshot.first(query).count <= pool
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "\(error)")
        }
    }

    private static func add(_ others: [CatalogueItem], to found: inout [CatalogueItem], most: Int) {
        let known = Set(found.map(\.candidate.id))
        found += others.lazy.filter { !known.contains($0.candidate.id) }.prefix(most)
    }

    /// What the query finds, of which most may be shown: where it is not so, what may not is left out and more is looked at.
    ///
    /// Columns know nothing of dislikes and of what was shown before, and a pool that is full of these is none.
    private func passing(
        _ query: inout SnapshotQuery,
        _ rules: OfferRules,
        _ missed: inout Missed
    ) throws(StageFailure) -> Finding {
        let enough = query.time?.half
        let usual = query
        var found = try find(query, &missed)
        var looks = 0
        while try found.isMostlyDropped(by: rules), enough.map({ ContinuousClock.now < $0 }) ?? true {
            try found.dropped(by: rules, into: &query.without)
            guard looks < Self.mostLooks else { break }
            looks += 1
            (query.limit, query.depth) = (min(query.limit, 1 << 32) * 4, query.depth * 4)
            found = try find(query, &missed)
        }
        guard !query.without.isEmpty else { return found }
        (query.limit, query.depth) = (usual.limit, usual.depth)
        return try find(query, &missed)
    }

    /// So many times more is looked at, each time four times as much.
    private static let mostLooks = 2

    private func find(_ query: SnapshotQuery, _ missed: inout Missed) throws(StageFailure) -> Finding {
        do throws(CatalogueError) {
            // Unknown words never exclude an offer: without any phrase, those that came first are the answer.
            guard !query.phrases.isEmpty else {
                return Finding(offers: try snapshot.offers(try snapshot.first(query)))
            }
            let answer = try snapshot.search(query)
            // Of several searches of one run, the one that missed most is told of.
            missed.byWordsAlone = max(missed.byWordsAlone, answer.byWordsAlone)
            missed.unsearched = max(missed.unsearched, answer.unsearched)
            return Finding(offers: try snapshot.offers(answer.hits))
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "\(error)")
        }
    }
}

/// What a search found.
private struct Finding {
    let offers: [SnapshotAnswer.Offer]
    var items: [CatalogueItem] { offers.map(\.item) }

    /// Notes by segment what filters that read texts would drop.
    func dropped(by rules: OfferRules, into places: inout [Int: [Int]]) throws(StageFailure) {
        for (offer, isKept) in zip(offers, try rules.pass(offers.map(\.item.candidate))) where !isKept {
            places[offer.hit.segment, default: []].append(offer.hit.item)
        }
    }

    func isMostlyDropped(by rules: OfferRules) throws(StageFailure) -> Bool {
        try rules.mostlyDrop(offers.map(\.item.candidate))
    }
}

/// An embedder that takes up vectors which somebody has already, so that nobody makes them again.
package protocol VectorMemory: Sendable {
    func remember(_ items: [CatalogueItem])
}

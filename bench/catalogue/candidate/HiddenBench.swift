import Catalogue
import Composition
import FileInput
import Fixtures
import FoundationEssentials
import Glibc
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import Synchronization
import TextEncoding
import VectorSearch

/// How much of what a judge found excellent is in the pools of runs when it is hidden among many offers, and what is shown.
///
///     knot-catalogue-bench hidden FOLDER OTHERS FIXTURES TEXTS...
///
/// The others have the prices, towns and days of `GeneratedOffers` and the texts of products and films: the title of one
/// and the description of another, and between the vectors of these two theirs lies. A catalogue that is there is taken as
/// it is.
struct HiddenBench {
    private let cases: [FixtureCase]
    private let encoder: Encoder
    private let folder: String

    private let cache = EmbeddingCache()

    private static let pools = [100, 200, 300, 400, 600]
    private static let batch = 4_096
    /// So many products and films are given to the encoder, since it takes minutes for more.
    private static let encoded = 4_096

    init(folder: String, fixtures: String) throws {
        self.folder = folder
        let loader = FixtureLoader()
        cases = try FixtureLoader.files(in: fixtures).map { try loader.load($0) }.filter(\.fixture.isJudged)
        encoder = try Encoder(
            directory: ModelSearch(environment: ProcessInfo.processInfo.environment).directory(named: nil),
            threads: 2
        )
    }

    func run(others: Int, texts: [String]) async throws {
        if !CatalogueSnapshot.isThere(in: folder) { try make(others: others, texts: try texts.flatMap(Self.texts)) }
        let snapshot = try CatalogueSnapshot(folder: folder)
        let judged = try CatalogueSnapshot(folder: folder + "-judged")
        for pool in Self.pools {
            var found = 0
            var wanted = 0
            var worst = 1.0
            var sets = HiddenSets(encoder)
            for one in cases {
                let run = try await run(of: one, in: snapshot, judged, pool: pool)
                found += run.found
                wanted += run.wanted
                if run.wanted > 0 { worst = min(worst, Double(run.found) / Double(run.wanted)) }
                try sets.add(run.shown, asked: run.phrases, of: one)
            }
            CatalogueBench.report([
                "hidden_among": .integer(snapshot.count), "vaults": .integer(cases.count), "pool": .integer(pool),
                "excellent_that_pass": .integer(wanted), "in_the_pool": .integer(found),
                "recall": .number(Double(found) / Double(max(1, wanted))), "worst_vault": .number(worst),
            ])
            sets.report(among: snapshot.count, pool: pool)
        }
    }

    // MARK: The catalogue

    private func make(others: Int, texts: [(title: String, text: String)]) throws {
        let own = cases.flatMap { one in
            one.fixture.candidates.map { CatalogueItem($0.with(id: Self.id($0.id, of: one))) }
        }
        let judged = try CatalogueWriter(folder: folder + "-judged", startsAnew: true)
        try judged.add(own)
        try judged.commit()
        let writer = try CatalogueWriter(folder: folder, startsAnew: true, threads: 2)
        try writer.add(zip(own, encoder.encode(own.map(\.text))).map { CatalogueItem($0.candidate, vector: $1) })
        var random = SplitMix(state: 3)
        let known = (0..<Self.encoded).map { _ in texts[random.below(texts.count)] }
        let vectors = try encoder.encode(known.map { "\($0.title). \($0.text)" })
        var source = GeneratedOffers(seed: 20_261_123)
        for start in stride(from: 0, to: others, by: Self.batch) {
            let items = source.items(start..<min(start + Self.batch, others)).map { item in
                let (one, other) = (random.below(Self.encoded), random.below(Self.encoded))
                let share = Float(0.3 + 0.4 * random.unit())
                let between = zip(vectors[one].values, vectors[other].values).map { share * $0 + (1 - share) * $1 }
                let candidate = item.candidate.with(title: known[one].title, description: known[other].text)
                return CatalogueItem(candidate, vector: Embedding(between, model: encoder.model))
            }
            try writer.add(items)
        }
        try writer.commit()
    }

    /// Titles and descriptions of products and films, one object a line.
    private static func texts(_ path: String) throws -> [(title: String, text: String)] {
        try FileContents.read(path, limit: 1 << 30).split(separator: UInt8(ascii: "\n")).compactMap { line in
            let json = try JSONParser.parse(Array(line))
            guard let title = json["title"]?.string else { return nil }
            return (title, json["description"]?.string ?? json["overview"]?.string ?? "")
        }
    }

    private static func id(_ id: CandidateID, of one: FixtureCase) -> CandidateID { CandidateID("\(one.stem):\(id)") }

    // MARK: Runs

    private struct HiddenRun {
        /// How many excellent offers that the rules let pass there are, and how many of them are in the pool.
        var found = 0
        var wanted = 0
        var shown: [Candidate] = []
        var phrases: [String] = []
    }

    private func run(
        of one: FixtureCase,
        in snapshot: CatalogueSnapshot,
        _ judged: CatalogueSnapshot,
        pool: Int
    ) async throws -> HiddenRun {
        let embedder = EncoderEmbedder(encoder, cache: cache)
        let own = Dictionary(uniqueKeysWithValues: one.fixture.candidates.map { (Self.id($0.id, of: one), $0.id) })
        let provider = SnapshotProvider(snapshot, embedder: embedder, pool: pool, threads: 2)
        let listener = PoolListener(provider, own: own)
        let clock = FixtureClock(one.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        var ports = StagePorts(one, asOf: nil, zones: ZoneDirectory(), clock: clock)
        ports.embedder = embedder
        ports.providers = .answering([listener])
        let options = RunOptions(subject: one.fixture.vault.id.text, deadline: .seconds(600))
        let plan = try ShippedPipelines.plan(ShippedPipelines.standard)
        let result = await Engine(threads: 2).report(plan, ports: ports, options: options).result
        var run = HiddenRun()
        if case .success(let choices) = result { run.shown = choices.choices.map(\.offer.candidate) }
        guard let query = listener.query, let rules = query.rules else { return run }
        run.phrases = CatalogueQuery(query).phrases
        let passing = Set(try judged.first(.max, where: CatalogueFilter(rules)).map(\.candidate.id))
        for (id, judgment) in one.fixture.judgments ?? [:] where judgment.grade == 3 {
            let id = Self.id(id, of: one)
            guard passing.contains(id) else { continue }
            run.wanted += 1
            if listener.ids.contains(id) { run.found += 1 }
        }
        return run
    }
}

/// Keeps what a catalogue answers to a run, and what it was asked.
private final class PoolListener: CandidateProvider {
    private let provider: SnapshotProvider
    /// What the vault calls its own offers, by their ids in the catalogue: its history and what is sold out go by that.
    private let own: [CandidateID: CandidateID]
    private let heard = Mutex<(ids: Set<CandidateID>, query: ProviderQuery?)>(([], nil))
    var capabilities: [ProviderCapability] { provider.capabilities }
    var ids: Set<CandidateID> { heard.withLock { $0.ids } }
    var query: ProviderQuery? { heard.withLock { $0.query } }

    init(_ provider: SnapshotProvider, own: [CandidateID: CandidateID]) {
        self.provider = provider
        self.own = own
    }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let found = try await provider.candidates(for: query)
        heard.withLock { heard in
            heard.ids.formUnion(found.map(\.id))
            heard.query = query
        }
        return found.map { candidate in own[candidate.id].map { candidate.with(id: $0) } ?? candidate }
    }
}

extension Candidate {
    /// The same offer under another id, or with other texts.
    fileprivate func with(id: CandidateID? = nil, title: String? = nil, description: String? = nil) -> Candidate {
        Candidate(
            id: id ?? self.id,
            provider: provider,
            type: type,
            title: title ?? self.title,
            description: description ?? self.description,
            url: url,
            imageURL: imageURL,
            priceCents: priceCents,
            currency: currency,
            merchant: merchant,
            location: location,
            startsAt: startsAt,
            rating: rating,
            reviewCount: reviewCount,
            shipsInDays: shipsInDays,
            tags: tags
        )
    }
}

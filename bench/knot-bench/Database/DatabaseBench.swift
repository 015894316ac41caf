import InventedSets
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import VaultStore

/// `knot-bench database`: how long the store takes to load a vault and to write a set, one line of JSON for each.
///
/// The database has to have the schema and no vaults; it is filled and left so.
struct DatabaseBench {
    private var url = ""
    private var rounds = 400

    static let usage = "knot-bench database --url URL [--rounds N]"

    init(_ arguments: ArraySlice<String>) throws {
        var arguments = arguments
        while let flag = arguments.popFirst() {
            switch (flag, arguments.popFirst()) {
            case ("--url", let value?): url = value
            case ("--rounds", let value?): rounds = max(20, Int(value) ?? rounds)
            default: throw BenchUsage(Self.usage)
            }
        }
        guard !url.isEmpty else { throw BenchUsage(Self.usage) }
    }

    func run() async throws {
        let target = try ConnectionTarget(url: url)
        let owner = try await PostgresConnection.connect(to: target)
        try await owner.runScript(DatabaseSeed.script)
        await owner.close()
        let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
        for (name, person, embeddings, goal) in [
            ("load", DatabaseSeed.plain, HintEmbeddings.none, 3.0 as Double?),
            ("load with embeddings", DatabaseSeed.embedded, .all, 3.0),
            ("load", DatabaseSeed.small, .none, nil),
        ] {
            try await load(name, person, embeddings, pool, goal: goal)
        }
        try await write(pool)
        await pool.close()
    }

    private func load(
        _ name: String,
        _ id: String,
        _ embeddings: HintEmbeddings,
        _ pool: ConnectionPool,
        goal: Double?
    ) async throws {
        let source = PostgresVaultSource(pool, embeddings: embeddings)
        var times: [Double] = []
        var size = ""
        for round in 0..<rounds + 50 {
            let start = ContinuousClock.now
            let stored = try await source.load(VaultID(id))
            // The first rounds prepare the statements and warm the server's caches.
            if round >= 50 { times.append(Self.milliseconds(ContinuousClock.now - start)) }
            size = "\(stored.vault.hints.count) hints, \(stored.vault.history.count) earlier recommendations"
        }
        tell(Sample(name: name, size: size, times: times), goal: goal)
    }

    private func write(_ pool: ConnectionPool) async throws {
        let store = ChoiceStore(pool)
        var times: [Double] = []
        for round in 0..<rounds + 20 {
            let record = try InventedSet.record(vault: VaultID(DatabaseSeed.small), request: "bench-\(round)")
            let start = ContinuousClock.now
            _ = try await store.store(record, until: .now + .seconds(30))
            if round >= 20 { times.append(Self.milliseconds(ContinuousClock.now - start)) }
        }
        tell(Sample(name: "write", size: "a run, three rows, durable", times: times), goal: 5)
    }

    private func tell(_ sample: Sample, goal: Double?) {
        var line = sample.json.object ?? JSONObject()
        line["goal_ms"] = goal.map { .number($0) } ?? .null
        print(JSONWriter.text(.object(line)))
    }

    private static func milliseconds(_ time: Duration) -> Double {
        let (seconds, attoseconds) = time.components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }
}

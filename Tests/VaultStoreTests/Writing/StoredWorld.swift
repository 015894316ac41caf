import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TestSupport

@testable import VaultStore

/// A fixture that is in the database and has been run, ready to be stored.
struct StoredWorld {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path

    static func path(_ stem: String) -> String { "\(root)/fixtures/vaults/\(stem).json" }

    let database: TestDatabase
    let run: EngineRun
    let brief: Brief

    var vault: PostgresUUID { PostgresUUID(brief.vault.id.text) ?? PostgresUUID(high: 0, low: 0) }
    var milestone: String { brief.milestone?.id.text ?? "" }

    /// Imports a fixture and runs it.
    static func make(
        _ database: TestDatabase,
        _ stem: String = "dev-01",
        pipeline: String = "choice-of-three"
    ) async throws
        -> StoredWorld
    {
        let pool = try ConnectionPool(to: ConnectionTarget(url: database.url), PoolSettings(limit: 1))
        let document = try FixtureDocument(parsing: FixtureLoader.bytes(path(stem)))
        _ = try await VaultImporter(pool).add(document, until: LastResort.end)
        await pool.close()
        let run = try await run(stem, pipeline)
        return StoredWorld(database: database, run: run, brief: try run.result.get().brief)
    }

    static func run(_ stem: String, _ pipeline: String, refresh: RefreshRequest? = nil) async throws -> EngineRun {
        let fixture = try FixtureLoader().load(path(stem))
        let ports = StagePorts(
            fixture,
            asOf: nil,
            refresh: refresh,
            zones: ZoneDirectory(),
            clock: FixtureClock(fixture.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        )
        return await Scene.engine.report(try Scene.plan(pipeline), ports: ports, options: RunOptions())
    }

    /// A pool as some role of the database.
    func pool(
        _ user: String = "knot_worker",
        limit: Int = 4,
        as identity: ActingIdentity = .connection
    ) throws -> ConnectionPool {
        try ConnectionPool(
            to: ConnectionTarget(url: database.url(user: user)),
            PoolSettings(limit: limit),
            as: identity
        )
    }

    func store(_ user: String = "knot_worker") throws -> ChoiceStore { ChoiceStore(try pool(user)) }

    func request(
        _ text: String = "r1",
        kind: RunIdentity.Kind = .onDemand,
        supersedes: PostgresUUID? = nil,
        job: ClaimedJob? = nil
    ) -> WriteRequest {
        WriteRequest(
            kind: kind,
            request: text,
            inputDigest: String(repeating: "cd", count: 32),
            engineVersion: "test",
            supersedes: supersedes,
            timings: ["whole_ms": 1],
            job: job
        )
    }

    func record(_ text: String = "r1") throws -> SetRecord { try SetRecord(run, request(text)) }

    /// One digest for each table's whole content.
    func snapshot() async throws -> [String: String] {
        let names = try await database.run(
            """
            select format('%I.%I', schemaname, tablename) from pg_tables
            where schemaname in ('public', 'auth', 'knot') order by 1
            """
        ).compactMap { $0[0] }
        var snapshot: [String: String] = [:]
        for name in names {
            let rows = try await database.run(
                "select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from \(name) t"
            )
            snapshot[name] = rows[0][0]
        }
        return snapshot
    }

    func count(_ query: String) async throws -> Int {
        Int(try await database.run("select count(*) from \(query)")[0][0] ?? "") ?? -1
    }

    /// What the store threw.
    func refusal(_ work: () async throws(VaultStoreError) -> StoredSet) async -> VaultStoreError.Code? {
        do throws(VaultStoreError) {
            _ = try await work()
            return nil
        } catch {
            return error.code
        }
    }
}

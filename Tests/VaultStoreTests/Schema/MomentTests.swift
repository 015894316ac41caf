import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import Learning
@testable import Migrations
@testable import VaultStore

/// Moments and days that no calendar has: none comes in, and one that is there is named and stops nobody else.
@Suite(.tags(.database)) struct MomentTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_900_000_000_000)

    /// Lets a database have rows that are older than the rule.
    private static func withBadRow(
        _ change: String,
        _ body: (ImportedWorld, [PostgresUUID]) async throws -> Void
    ) async throws {
        try await ImportedWorld.with { world in
            try await world.database.run(SchemaSeed.script(people: 1...3))
            try await world.database.run(VaultFailureTests.withoutRules)
            try await world.database.run(change)
            let vaults = try (1...3).map { try #require(PostgresUUID(SchemaSeed.id(SchemaSeed.vaultKind, of: $0))) }
            try await body(world, vaults)
        }
    }

    private static let ofTheSecond = "= '\(SchemaSeed.id(SchemaSeed.vaultKind, of: 2))'"

    @Test(arguments: ServerVersion.serving)
    func `every column of moments or days in every table refuses what no calendar has`(
        on server: ServerVersion
    ) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...1))
            let digest = String(repeating: "ab", count: 32)
            try await session.run(
                script: "insert into public.provider_responses (provider, request_digest, status, body, expires_at) "
                    + "values ('yelp', decode('\(digest)', 'hex'), 200, '', now() + interval '1 hour')"
            )
            let columns = try await session.rows(
                """
                select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
                    and a.atttypid in ('date'::regtype, 'timestamptz'::regtype, 'timestamp'::regtype)
                    -- Written by a trigger, whatever one says.
                    and a.attname <> 'updated_at'
                """
            )
            #expect(columns.count > 30)
            for row in columns {
                let (table, column) = (row[0] ?? "", row[1] ?? "")
                for moment in ["infinity", "-infinity", "10000-01-01", "0001-12-31 BC"] {
                    let refusal = session.refusal(of: "update public.\(table) set \(column) = '\(moment)'")
                    #expect(refusal?.state == "23514", "\(table).\(column) = \(moment)")
                }
            }
        }
    }

    @Test func `a table with such rows is migrated, keeps them, and takes no more`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            _ = try await Migrator(session, engineVersion: "test").migrate(to: 31)
            try await session.run(script: SchemaSeed.script(people: 1...2, hasFiles: false))
            try await session.run(script: "update public.hints set created_at = 'infinity'")
            _ = try await Migrator(session, engineVersion: "test").migrate()
            #expect(try await session.value("select count(*) from public.hints where not isfinite(created_at)") == "2")
            #expect(session.refusal(of: "update public.hints set created_at = '-infinity'")?.state == "23514")
            let open = try await session.column(
                "select conname from pg_constraint where not convalidated and conname like '%_moments_check'"
            )
            #expect(open == ["hints_moments_check"])
        }
    }

    @Test func `one vault's bad feedback is named and stops no other's learning`() async throws {
        let change = """
            update public.recommendation_feedback set created_at = 'infinity' where recommendation_id in (
                select id from public.recommendations where vault_id \(Self.ofTheSecond) limit 1)
            """
        try await Self.withBadRow(change) { world, vaults in
            let store = LearnStore(world.pool)
            var failed: [PostgresUUID] = []
            var learned: [PostgresUUID] = []
            let count = try await store.learnAll(asOf: Self.now) { ending, vault in
                switch ending {
                case .success: learned.append(vault)
                case .failure: failed.append(vault)
                }
            }
            #expect(count == 3 && learned == [vaults[0], vaults[2]] && failed == [vaults[1]])
            do throws(VaultStoreError) {
                _ = try await store.learn(vaults[1], asOf: Self.now, until: ImportedWorld.limit)
                Issue.record("a bad row was learned from")
            } catch {
                guard case .unusable = error.code, let problem = error.problems.first else {
                    Issue.record("\(error)")
                    return
                }
                #expect(problem.path.hasPrefix("recommendation_feedback[") && problem.path.hasSuffix("].created_at"))
            }
        }
    }

    @Test(arguments: [
        ("hints set created_at", "hints["), ("partner_milestones set milestone_date", "partner_milestones["),
        ("recommendations set created_at", "recommendations["), ("vault_imports set as_of", "vault_imports"),
    ])
    func `a vault with a bad row is exported by name of the row, and whole where everything is asked for`(
        change: String,
        place: String
    ) async throws {
        let update = "update public.\(change) = 'infinity' where vault_id \(Self.ofTheSecond)"
        try await Self.withBadRow(update) { world, vaults in
            let refused = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await world.exporter.fixture(vaults[1], until: ImportedWorld.limit)
            }
            #expect(refused?.code == .unreadable)
            #expect(refused?.problems.first?.path.hasPrefix(place) == true)
            let all = try await world.exporter.everything(vaults[1], until: ImportedWorld.limit)
            #expect(all["fixture"]?.isNull == true && all["problems"]?.array?.isEmpty == false)
            #expect(all["tables"]?["hints"]?.array?.count == 1)
            let other = try await world.exporter.everything(vaults[0], until: ImportedWorld.limit)
            #expect(other["fixture"]?.isNull == false && other["problems"]?.array?.isEmpty == true)
        }
    }

    @Test func `a set that cannot be read is named beside the others`() async throws {
        let change =
            "update public.recommendation_runs set occurrence_date = 'infinity' where vault_id \(Self.ofTheSecond)"
        try await Self.withBadRow(change) { world, vaults in
            let page = try await SetHistory(world.pool).page(of: vaults[1], limit: 5, until: ImportedWorld.limit)
            #expect(page.sets.isEmpty)
            #expect(page.problems.map(\.path) == ["recommendation_runs[\(SchemaSeed.run(of: 2).id)].occurrence_date"])
        }
    }
}

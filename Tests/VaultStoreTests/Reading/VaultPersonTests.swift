import Fixtures
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("Reading as a person", .tags(.database)) struct VaultPersonTests {
    @Test(arguments: ["service_role", "", "knot", "authenticated", "00000000-0000-4000-8000-00000000000g", "'"])
    func `takes a person's id and no role's name`(name: String) {
        do throws(PostgresError) {
            _ = try ActingIdentity(asUser: name)
            Issue.record("\(name) was taken")
        } catch {
            #expect(error.code == .notPermitted)
        }
    }

    @Test(arguments: ServerVersion.serving, ["knot", "knot_person"])
    func `shows one's own vault and no other`(on version: ServerVersion, as role: String) async throws {
        let fixtures = try JudgedFixtures.all().prefix(2).map(\.fixture)
        let (mine, other) = (fixtures[0].vault, fixtures[1].vault)
        try await withDatabase(version, .migrated) { database in
            try await database.run(fixtures.map { StoredFixture($0).sql }.joined())
            let identity = try ActingIdentity(asUser: mine.userID.text.uppercased())
            let pool = try VaultDatabase.pool(database, user: role, as: identity)
            let source = PostgresVaultSource(pool)
            #expect(try await source.load(mine.id).vault == mine)
            guard await VaultDatabase.failure(source, other.id)?.code == .noVault(other.id) else {
                Issue.record("another person's vault was read")
                return
            }
            #expect(try await source.vaultIDs(limit: 10) == [mine.id])
            // Nothing of the person stays on the connection.
            let after = try await pool.withConnection(until: LastResort.end) { connection throws(PostgresError) in
                try await connection.textRows(
                    """
                    select current_user::text, coalesce(pg_catalog.current_setting('request.jwt.claims', true), '')
                    """,
                    [],
                    until: LastResort.end
                )
            }
            #expect(after == [[role, ""]])
        }
    }

    /// Whichever way a connection is used, for one cannot forget what one does not do oneself.
    @Test(arguments: ["knot", "knot_person"])
    func `every way through a person's pool has the person's rights`(role: String) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(SchemaSeed.script(people: 1...2))
            let user = SchemaSeed.id(SchemaSeed.userKind, of: 2)
            let pool = try VaultDatabase.pool(database, user: role, as: ActingIdentity(asUser: user))
            let look: SQLQuery = """
                select current_user::text || ' ' || (select count(*) from public.partner_vaults)
                    || ' ' || coalesce((select v.user_id::text from public.partner_vaults v), '') as seen
                """
            @Sendable func seen(_ rows: Rows?) throws(PostgresError) -> String {
                try (rows ?? Rows()).only().decode("seen")
            }
            let until = LastResort.end
            let found = try await pool.withConnection(until: until) { connection throws(PostgresError) in
                var found = [try seen(await connection.run(look)), try seen(await connection.run(look, until: until))]
                found.append(try seen(await connection.pipeline([look, look]).last))
                found.append(try seen(await connection.snapshot([look]).first))
                for mode in [TransactionMode.readWrite, .readOnly, .snapshot, .serializable] {
                    found.append(
                        try await connection.transaction(mode) { transaction throws(PostgresError) in
                            _ = try await transaction.run(look)
                            return try seen(await transaction.run(look))
                        }
                    )
                }
                return found
            }
            let read = try await pool.read([look], until: until)
            let last = try seen(read.first)
            #expect(Set(found + [last]) == ["authenticated 1 \(user)"])
            await pool.close()
        }
    }

    @Test func `shows a stranger nothing`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let stranger = try ActingIdentity(asUser: "00000000-0000-4000-8000-000000000001")
            let source = PostgresVaultSource(try VaultDatabase.pool(database, user: "knot_person", as: stranger))
            guard case .noVault? = await VaultDatabase.failure(source, fixture.vault.id)?.code else {
                Issue.record("a stranger read the vault")
                return
            }
        }
    }

    @Test func `refuses a connection that is nobody's until it is somebody's`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let source = try PostgresVaultSource(VaultDatabase.pool(database, user: "knot_person"))
            guard case .database(let error)? = await VaultDatabase.failure(source, fixture.vault.id)?.code else {
                Issue.record("the vault was read")
                return
            }
            #expect(error.code == .notPermitted)
        }
    }

    @Test func `never reads as service_role`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            try await database.run(
                "do $$ begin alter role service_role login; end $$; grant knot_worker to service_role"
            )
            let source = try PostgresVaultSource(VaultDatabase.pool(database, user: "service_role"))
            guard case .database(let error)? = await VaultDatabase.failure(source, fixture.vault.id)?.code else {
                Issue.record("service_role read a vault")
                return
            }
            #expect(error.code == .notPermitted && error.description.contains("service_role"))
        }
    }
}

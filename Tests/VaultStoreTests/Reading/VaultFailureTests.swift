import Fixtures
import JSONDocument
import KnotDomain
import PostgresClient
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

@Suite("A vault that cannot be read", .tags(.database)) struct VaultFailureTests {
    @Test(arguments: [
        ("update public.hints set hint_text = repeat('x', 501)", "hints[", "].hint_text"),
        ("update public.hints set hint_text = E' \\u0001 \\n'", "hints[", "].hint_text"),
        ("update public.hints set created_at = 'infinity'", "hints[", "].created_at"),
        ("update public.partner_vaults set partner_name = ' '", "partner_vaults.partner_name", ""),
        ("update public.partner_vaults set relationship_tenure_months = -1", "partner_vaults.relationship_tenure", ""),
        ("update public.partner_vaults set location_country = 'Narnia'", "partner_vaults.location_country", ""),
        ("update public.users set timezone = ''", "users.timezone", ""),
        ("delete from public.partner_vibes", "partner_vibes", ""),
        (
            "delete from public.partner_budgets where occasion_type = 'just_because'", "partner_budgets[just_because]",
            ""
        ),
        ("update public.partner_budgets set currency = '$'", "partner_budgets[", "].currency"),
        ("delete from public.partner_love_languages where priority = 2", "partner_love_languages[2].language", ""),
        (
            "update public.partner_milestones set milestone_date = '294275-01-01'", "partner_milestones[",
            "].milestone_date"
        ),
        (
            "update public.partner_milestones set milestone_date = '-infinity'", "partner_milestones[",
            "].milestone_date"
        ),
        ("update public.partner_milestones set milestone_name = ''", "partner_milestones[", "].milestone_name"),
        (
            "update public.partner_interests set interest_category = E'\\t' where id = (select id from "
                + "public.partner_interests where interest_type = 'like' limit 1)", "partner_interests[",
            "].interest_category"
        ),
        ("update public.recommendations set title = ''", "recommendations[", "].title"),
        (
            "insert into public.learned_weights (vault_id, weights, half_life_days, as_of) "
                + "select id, '{\"hints\": \"much\"}', 30, now() from public.partner_vaults",
            "learned_weights.weights.hints",
            ""
        ),
        (
            "insert into public.learned_weights (vault_id, weights, half_life_days, as_of) "
                + "select id, '{\"hints\": 1}', 30, 'infinity' from public.partner_vaults",
            "learned_weights.as_of",
            ""
        ),
        ("update public.recommendations set created_at = '-infinity'", "recommendations[", "].created_at"),
        ("update public.vault_imports set as_of = 'infinity'", "vault_imports.as_of", ""),
    ])
    func `names the column and the row`(change: String, start: String, end: String) async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            // Rows that are older than the rule may break it.
            try await database.run(Self.withoutRules)
            try await database.run(change)
            let failure = await VaultDatabase.failure(source, fixture.vault.id)
            guard case .unusable(let id)? = failure?.code, let problems = failure?.problems else {
                Issue.record("the vault could be read")
                return
            }
            #expect(id == fixture.vault.id)
            let named = problems.filter { $0.path.hasPrefix(start) && $0.path.hasSuffix(end) }
            #expect(!named.isEmpty, "\(problems)")
            #expect(problems.count == Set(problems.map(\.path)).count, "a place has two problems")
        }
    }

    /// Nothing is asked of an address that is history, and one that no browser opens must not keep a vault from its next set.
    @Test(arguments: ["", "www.shop.example/x", "javascript:alert(1)", "https://"])
    func `has no trouble with an old address that is none`(address: String) async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            try await database.run("update public.recommendations set external_url = '\(address)'")
            let history = try await source.load(fixture.vault.id).vault.history
            let told = fixture.vault.history
            #expect(!told.isEmpty && history.map(\.title) == told.map(\.title))
            #expect(history.map(\.feedback) == told.map(\.feedback) && history.allSatisfy { $0.url == nil })
        }
    }

    static let withoutRules = """
        do $$
        declare
            name text;
        begin
            for name in select conrelid::regclass from pg_constraint where conname like '%_moments_check' loop
                execute format('alter table %s drop constraint %I', name, replace(name, 'public.', '') || '_moments_check');
            end loop;
        end
        $$
        """

    @Test func `has every problem told at once`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            try await database.run(
                """
                update public.hints set hint_text = '';
                update public.partner_vaults set partner_name = '', location_country = 'XYZ';
                delete from public.partner_vibes;
                """
            )
            let found = await VaultDatabase.failure(source, fixture.vault.id)
            guard case .unusable? = found?.code, let problems = found?.problems else {
                Issue.record("the vault could be read")
                return
            }
            #expect(problems.count == fixture.vault.hints.count + 3)
            let failure = VaultStoreError.unusable(fixture.vault.id, problems).stageFailure
            #expect(failure.failureClass == .data && failure.code == "bad_vault")
            for hint in fixture.vault.hints { #expect(!failure.detail.contains(hint.text)) }
        }
    }

    @Test func `is a failure of the database when that is down`() async throws {
        let target = try ConnectionTarget(url: "postgresql://knot@/none?host=/nonexistent")
        let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
        let source = PostgresVaultSource(pool)
        do throws(StageFailure) {
            _ = try await source.vault(VaultID("00000000-0000-4000-8000-000000000001"))
            Issue.record("a vault was read from nowhere")
        } catch {
            #expect(error.failureClass == .provider && error.code == "database_connection_refused", "\(error)")
        }
    }

    @Test func `ends at its limit and leaves the connection usable`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let pool = try VaultDatabase.pool(database)
            let hurried = PostgresVaultSource(pool, limit: .seconds(1))
            let blocker = try await PlainConnection.open(database.url)
            try await blocker.run("begin; lock table public.hints in access exclusive mode")
            do throws(StageFailure) {
                _ = try await hurried.vault(fixture.vault.id)
                Issue.record("a locked table was read")
            } catch {
                #expect(error.failureClass == .platform && error.code == "database_statement_timeout", "\(error)")
            }
            try await blocker.run("rollback")
            #expect(try await PostgresVaultSource(pool).vault(fixture.vault.id) == fixture.vault)
            #expect(pool.counts.idle == 1)
        }
    }

    @Test func `says what to start or correct where no server answers`() async throws {
        let target = try ConnectionTarget(url: "postgresql://127.0.0.1:\(try LoopbackPort.free())/knot")
        let source = PostgresVaultSource(ConnectionPool(to: target, PoolSettings(limit: 1)))
        let failure = await VaultDatabase.failure(source, VaultID("00000000-0000-4000-8000-000000000001"))
        guard case .database(let error)? = failure?.code else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.advice.contains("start the server or correct DATABASE_URL"))
    }

    @Test func `lacks its tables when nothing was migrated`() async throws {
        try await withDatabase(.eighteen, .empty) { database in
            let source = try PostgresVaultSource(VaultDatabase.pool(database, user: "knot"))
            let failure = await VaultDatabase.failure(source, VaultID("00000000-0000-4000-8000-000000000001"))
            guard case .database(let error)? = failure?.code else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(error.code == .undefinedObject && error.todo.contains("migrate"))
            // The failed statement left no transaction behind.
            #expect(source.pool.counts.idle == 1)
        }
    }

    @Test func `is read on a new connection when the old one was ended`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            _ = try await source.vault(fixture.vault.id)
            try await database.run(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'knot_worker' "
                    + "and datname = current_database()"
            )
            #expect(try await source.vault(fixture.vault.id) == fixture.vault)
        }
    }
}

package import JSONDocument
package import PostgresClient

/// Brings vaults out again.
package struct VaultExporter: Sendable {
    private let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// The vault as `knot.fixture/1`: an imported one as its file says, where nothing was changed since.
    package func fixture(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> JSONValue {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            try await Self.fixture(vault, in: transaction)
        }
    }

    /// Everything the database holds of the vault's person, table by table, and the fixture.
    ///
    /// Under a person's own rights, a table that only the server's roles may read is null and named as withheld.
    package func everything(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> JSONValue {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            var fixture = JSONValue.null
            var problems: [JSONProblem] = []
            switch try await Self.fixture(vault, in: transaction) {
            // The tables hold those rows as they are: nobody is kept from their data by one of them.
            case .failure(let error) where error.code == .unreadable: problems = error.problems
            case .failure(let error): return .failure(error)
            case .success(let document): fixture = document
            }
            var readable = PersonTable.all
            if pool.identity != .connection {
                let names = try await transaction.run(PersonTable.readable)
                    .map { row throws(PostgresError) in try row.decode("name", as: String.self) }
                readable = readable.filter { names.contains($0.name) }
            }
            // Rows are laid out by the server: whatever a database or a role has set, in one form and with every digit.
            _ = try await transaction.run(
                """
                select pg_catalog.set_config('TimeZone', 'UTC', true),
                    pg_catalog.set_config('extra_float_digits', '1', true),
                    pg_catalog.set_config('bytea_output', 'hex', true),
                    pg_catalog.set_config('IntervalStyle', 'postgres', true)
                """
            )
            var tables = JSONObject(PersonTable.all.map { .init(name: $0.name, value: .null) })
            let results = try await transaction.pipeline(readable.map { $0.query(vault) })
            for (table, rows) in zip(readable, results) {
                tables[table.name] = try rows.only().decode("rows", as: JSONValue.self)
            }
            let withheld = tables.members.filter(\.value.isNull).map(\.name)
            return .success(
                [
                    "schema": "knot.person/1", "vault_id": .string(vault.description), "fixture": fixture,
                    "tables": .object(tables), "withheld": JSONValue(withheld),
                    "problems": .array(problems.map { ["path": .string($0.path), "message": .string($0.message)] }),
                ]
            )
        }
    }

    private static func fixture(
        _ vault: PostgresUUID,
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Result<JSONValue, VaultStoreError> {
        let parts = VaultStatements.document(vault)
        let found = try await transaction.pipeline(parts + [FixtureFacts.query(vault), CatalogueRows.query(vault)])
        let problems = JSONReader.Problems()
        guard let rows = try VaultRows(found, problems) else { return .failure(.vaultNotThere) }
        var facts = FixtureFacts(vault: vault)
        if let row = found[parts.count].first {
            do throws(PostgresError) {
                facts = try FixtureFacts(row)
            } catch {
                problems.note(JSONProblem(unreadable: row, of: "vault_imports", error))
            }
        }
        guard problems.list.isEmpty else {
            let what = "rows of the vault cannot be read"
            return .failure(VaultStoreError(.unreadable, what, problems: problems.list))
        }
        let candidates = try found[parts.count + 1].map { row throws(PostgresError) in
            try row.decode("raw", as: JSONValue.self)
        }
        return .success(facts.document(rows, candidates: candidates))
    }
}

/// Every table that holds anything of a person, and how its rows are found from their vault.
struct PersonTable: Sendable {
    private enum Key: Sendable {
        case ownID
        case vault
        case user
        case feedback
        case notification
    }

    let name: String
    private let table: StaticString
    private let key: Key

    private init(_ name: String, _ table: StaticString, _ key: Key = .vault) {
        self.name = name
        self.table = table
        self.key = key
    }

    /// In an order in which each refers to those before it.
    static let all = [
        PersonTable("auth.users", "auth.users", .ownID), PersonTable("users", "public.users", .ownID),
        PersonTable("partner_vaults", "public.partner_vaults", .user),
        PersonTable("partner_interests", "public.partner_interests"),
        PersonTable("partner_milestones", "public.partner_milestones"),
        PersonTable("partner_vibes", "public.partner_vibes"), PersonTable("partner_budgets", "public.partner_budgets"),
        PersonTable("partner_love_languages", "public.partner_love_languages"),
        PersonTable("hints", "public.hints"), PersonTable("recommendation_runs", "public.recommendation_runs"),
        PersonTable("recommendations", "public.recommendations"),
        PersonTable("recommendation_feedback", "public.recommendation_feedback", .feedback),
        PersonTable("notification_queue", "public.notification_queue", .notification),
        PersonTable("recommendation_jobs", "public.recommendation_jobs"),
        PersonTable("recommendation_notices", "public.recommendation_notices"),
        PersonTable("hint_readings", "public.hint_readings"), PersonTable("vault_readings", "public.vault_readings"),
        PersonTable("text_embeddings", "public.text_embeddings"),
        PersonTable("learned_weights", "public.learned_weights"),
        PersonTable("catalogue_items", "public.catalogue_items"),
        PersonTable("vault_imports", "public.vault_imports"),
        PersonTable("vault_import_files", "public.vault_import_files"),
    ]

    /// Those whose rows go with the vault; the person stays.
    static var ofVault: [PersonTable] { all.filter { $0.key != .ownID } }

    /// The names of those that the role of the transaction may read whole.
    static var readable: SQLQuery {
        let names = all.map { $0.name.contains(".") ? $0.name : "public.\($0.name)" }
        return """
            select t.name
            from rows from (pg_catalog.unnest(\(all.map(\.name))), pg_catalog.unnest(\(names))) as t (name, whole)
            join pg_catalog.pg_class c on c.relname = pg_catalog.split_part(t.whole, '.', 2)
            join pg_catalog.pg_namespace n
                on n.oid = c.relnamespace and n.nspname = pg_catalog.split_part(t.whole, '.', 1)
            where pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_table_privilege(c.oid, 'select')
            """
    }

    /// The rows as one JSON list: those of the vault and of its person, and no row of somebody else that hangs on them.
    func query(_ vault: PostgresUUID) -> SQLQuery {
        let rows: SQLQuery =
            switch key {
            case .vault, .user: hanging(on: vault)
            case .ownID, .feedback, .notification: own(of: vault)
            }
        return """
            select coalesce(pg_catalog.json_agg(pg_catalog.to_json(t)), '[]'::pg_catalog.json) as rows
            from \(unescaped: table) t
            where \(fragment: rows)
            """
    }

    /// How many rows hang on the vault and go with it.
    func count(_ vault: PostgresUUID) -> SQLQuery {
        "select count(*) as n from \(unescaped: table) t where \(fragment: hanging(on: vault))"
    }

    private func hanging(on vault: PostgresUUID) -> SQLQuery {
        switch key {
        case .ownID: "false"
        case .vault: "t.vault_id = \(vault)"
        case .user: "t.id = \(vault)"
        case .feedback:
            "t.recommendation_id in (select r.id from public.recommendations r where r.vault_id = \(vault))"
        case .notification:
            "t.milestone_id in (select m.id from public.partner_milestones m where m.vault_id = \(vault))"
        }
    }

    /// The person's own rows, whatever they hang on.
    private func own(of vault: PostgresUUID) -> SQLQuery {
        let owner: SQLQuery = "(select v.user_id from public.partner_vaults v where v.id = \(vault))"
        return switch key {
        case .vault, .user: "false"
        case .ownID: "t.id = \(fragment: owner)"
        case .feedback, .notification: "t.user_id = \(fragment: owner)"
        }
    }
}

/// The account a vault belongs to: made where it is missing, and never changed where it is there.
package enum PersonRow {
    /// A value of the row `u` of users that only the person's own account shows, and that never changes.
    package static let key: SQLQuery = "extract(epoch from u.created_at)::text"

    /// Whether the account, the vault, and another vault of the account are there.
    static func query(user: PostgresUUID, vault: PostgresUUID) -> SQLQuery {
        """
        select
            (select \(fragment: key) from public.users u where u.id = \(user)) as person,
            (select v.id from public.partner_vaults v where v.user_id = \(user)) as own,
            exists (select 1 from public.users u where u.id = \(user)) as has_person,
            exists (select 1 from public.partner_vaults v where v.id = \(vault)) as has_vault,
            exists (select 1 from public.partner_vaults v where v.user_id = \(user) and v.id <> \(vault)) as has_other,
            (select i.file_digest from public.vault_imports i where i.vault_id = \(vault)) as digest
        """
    }

    /// The triggers of the schema make the row in `users`.
    static func insertion(_ user: PostgresUUID) -> SQLQuery {
        "insert into auth.users (id) values (\(user)) on conflict (id) do nothing"
    }
}

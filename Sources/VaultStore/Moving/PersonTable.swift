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
        PersonTable("hint_readings", "public.hint_readings"), PersonTable("vault_readings", "public.vault_readings"),
        PersonTable("text_embeddings", "public.text_embeddings"),
        PersonTable("learned_weights", "public.learned_weights"),
        PersonTable("catalogue_items", "public.catalogue_items"),
        PersonTable("vault_imports", "public.vault_imports"),
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

import JSONDocument
import KnotDomain

extension VaultRows {
    /// One statement for each table, in the order of `init(_:)`.
    static func queries(_ vault: PostgresUUID) -> [SQLQuery] {
        [
            """
            select v.id, v.user_id, v.partner_name, v.relationship_tenure_months, v.cohabitation_status,
                v.location_city, v.location_state, v.location_country, u.timezone
            from public.partner_vaults v join public.users u on u.id = v.user_id
            where v.id = \(vault)
            """,
            """
            select interest_type, interest_category from public.partner_interests where vault_id = \(vault)
            order by created_at, id
            """,
            """
            select id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier
            from public.partner_milestones where vault_id = \(vault) order by created_at, id
            """,
            "select vibe_tag from public.partner_vibes where vault_id = \(vault) order by created_at, id",
            """
            select occasion_type, min_amount, max_amount, currency from public.partner_budgets
            where vault_id = \(vault) order by occasion_type
            """,
            """
            select language, priority from public.partner_love_languages where vault_id = \(vault) order by priority
            """,
            """
            select id, hint_text, source, created_at, is_used from public.hints
            where vault_id = \(vault) order by created_at, id
            """,
            """
            select id, recommendation_type, title, external_url, price_cents, merchant_name, created_at
            from public.recommendations where vault_id = \(vault) order by created_at, id
            """,
            """
            select f.recommendation_id, f.action, f.rating, f.feedback_text, f.created_at
            from public.recommendation_feedback f join public.recommendations r on r.id = f.recommendation_id
            join public.partner_vaults v on v.id = r.vault_id and v.user_id = f.user_id
            where r.vault_id = \(vault) order by f.created_at, f.id
            """,
        ]
    }

    /// Nil where there is no such vault.
    init?(_ results: [Rows]) throws(PostgresError) {
        guard !results[0].isEmpty else { return nil }
        var first = try Self.objects(results[0])[0]
        timeZone = first["timezone"] ?? .null
        first["timezone"] = nil
        vault = first
        interests = try Self.objects(results[1])
        milestones = try Self.objects(results[2])
        vibes = try Self.objects(results[3])
        budgets = try Self.objects(results[4])
        languages = try Self.objects(results[5])
        hints = try Self.objects(results[6])
        history = try Self.objects(results[7])
        feedback = try Self.objects(results[8])
    }

    /// Rows as objects, whatever their columns are called.
    private static func objects(_ rows: Rows) throws(PostgresError) -> [JSONObject] {
        try rows.map { row throws(PostgresError) in
            var object = JSONObject()
            for (place, column) in rows.columns.enumerated() {
                object[column.name] = try value(row, place, column.type)
            }
            return object
        }
    }

    private static func value(_ row: Row, _ place: Int, _ type: PostgresType) throws(PostgresError) -> JSONValue {
        switch type {
        case .int2, .int4, .int8: JSONValue(try row.decode(at: place, as: Int?.self))
        case .bool: try row.decode(at: place, as: Bool?.self).map(JSONValue.bool) ?? .null
        case .uuid: JSONValue(try row.decode(at: place, as: PostgresUUID?.self)?.description)
        case .timestamptz: JSONValue(try row.decode(at: place, as: Instant?.self)?.iso8601)
        case .date: JSONValue(try row.decode(at: place, as: CivilDate?.self)?.description)
        default: JSONValue(try row.decode(at: place, as: String?.self))
        }
    }
}

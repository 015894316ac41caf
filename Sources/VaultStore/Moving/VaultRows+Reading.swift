import JSONDocument
import KnotDomain

extension VaultRows {
    /// How many statements read a vault.
    static let count = 10

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
            select f.id, f.recommendation_id, f.action, f.rating, f.feedback_text, f.created_at
            from public.recommendation_feedback f join public.recommendations r on r.id = f.recommendation_id
            join public.partner_vaults v on v.id = r.vault_id and v.user_id = f.user_id
            where r.vault_id = \(vault) order by f.created_at, f.id
            """,
            """
            select weights, signal_count, half_life_days, as_of, imported is not null as is_imported
            from public.learned_weights where vault_id = \(vault)
            """,
        ]
    }

    /// Nil where there is no such vault.
    init?(_ results: [Rows]) {
        guard !results[0].isEmpty else { return nil }
        var problems: [JSONProblem] = []
        var first = Self.objects(results[0], of: "partner_vaults", &problems)[0]
        timeZone = first["timezone"] ?? .null
        first["timezone"] = nil
        vault = first
        interests = Self.objects(results[1], of: "partner_interests", &problems)
        milestones = Self.objects(results[2], of: "partner_milestones", &problems)
        vibes = Self.objects(results[3], of: "partner_vibes", &problems)
        budgets = Self.objects(results[4], of: "partner_budgets", &problems)
        languages = Self.objects(results[5], of: "partner_love_languages", &problems)
        hints = Self.objects(results[6], of: "hints", &problems)
        history = Self.objects(results[7], of: "recommendations", &problems)
        feedback = Self.objects(results[8], of: "recommendation_feedback", &problems)
        if let row = results[9].first {
            do throws(PostgresError) {
                learned = try Self.learned(row)
            } catch {
                problems.append(JSONProblem(unreadable: row, of: "learned_weights", error))
            }
        }
        self.problems = problems
    }

    /// Weights that say nothing are none, unless they came that way.
    private static func learned(_ row: Row) throws(PostgresError) -> JSONValue {
        let weights = try row.decode("weights", as: JSONValue.self)
        let isImported = try row.decode("is_imported", as: Bool.self)
        guard isImported || weights.object?.isEmpty == false else { return .null }
        return [
            "as_of": .string(try row.decode("as_of", as: Instant.self).iso8601),
            "half_life_days": .number(try row.decode("half_life_days", as: Double.self)),
            "signals": .integer(try row.decode("signal_count", as: Int.self)), "weights": weights,
        ]
    }

    /// Rows as objects, whatever their columns are called; a cell that cannot be read is null and a problem.
    private static func objects(_ rows: Rows, of table: String, _ problems: inout [JSONProblem]) -> [JSONObject] {
        (0..<rows.count).map { index in
            var object = JSONObject()
            for (place, column) in rows.columns.enumerated() {
                do throws(PostgresError) {
                    object[column.name] = try value(rows[index], place, column.type)
                } catch {
                    object[column.name] = .null
                    problems.append(JSONProblem(unreadable: rows[index], of: table, error))
                }
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

/// The tables and columns by which a database that production made is recognised.
enum ProductionSchema {
    /// Of the first twelve migrations, which nothing has taken away since.
    static let columns: [(table: String, columns: [String])] = [
        ("users", ["id", "email", "created_at", "updated_at"]),
        (
            "partner_vaults",
            [
                "id", "user_id", "partner_name", "relationship_tenure_months", "cohabitation_status", "location_city",
                "location_state", "location_country", "created_at", "updated_at",
            ]
        ),
        ("partner_interests", ["id", "vault_id", "interest_type", "interest_category", "created_at"]),
        (
            "partner_milestones",
            [
                "id", "vault_id", "milestone_type", "milestone_name", "milestone_date", "recurrence", "budget_tier",
                "created_at",
            ]
        ),
        ("partner_vibes", ["id", "vault_id", "vibe_tag", "created_at"]),
        (
            "partner_budgets",
            ["id", "vault_id", "occasion_type", "min_amount", "max_amount", "currency", "created_at"]
        ),
        ("partner_love_languages", ["id", "vault_id", "language", "priority", "created_at"]),
        ("hints", ["id", "vault_id", "hint_text", "hint_embedding", "source", "created_at", "is_used"]),
        (
            "recommendations",
            [
                "id", "vault_id", "milestone_id", "recommendation_type", "title", "description", "external_url",
                "price_cents", "merchant_name", "image_url", "created_at",
            ]
        ),
        (
            "recommendation_feedback",
            ["id", "recommendation_id", "user_id", "action", "rating", "feedback_text", "created_at"]
        ),
        (
            "notification_queue",
            ["id", "user_id", "milestone_id", "scheduled_for", "days_before", "status", "sent_at", "created_at"]
        ),
    ]

    /// Whether a database without a history has none, all or, which is an error, some of the tables.
    static func isThere(found: Set<String>) throws(MigrationError) -> Bool {
        let tables = columns.map(\.table)
        guard tables.contains(where: { table in found.contains { $0.hasPrefix("\(table).") } }) else { return false }
        for (table, columns) in columns {
            for column in columns where !found.contains("\(table).\(column)") {
                throw MigrationError(
                    .foreignSchema,
                    what: "the database has tables of ours without a history, and public.\(table).\(column) is missing",
                    todo: "migrate an empty database, or one with the whole schema that production has"
                )
            }
        }
        return true
    }
}

/// Every table's moments, each table once.
extension ConstraintViolation {
    static let moments =
        [
            ("catalogue_items", "starts_at"),
            ("hint_readings", "created_at"),
            ("hints", "created_at"),
            ("learned_weights", "as_of"),
            ("notification_queue", "scheduled_for"),
            ("partner_budgets", "created_at"),
            ("partner_interests", "created_at"),
            ("partner_love_languages", "created_at"),
            ("partner_milestones", "milestone_date"),
            ("partner_vaults", "created_at"),
            ("partner_vibes", "created_at"),
            ("provider_responses", "expires_at"),
            ("recommendation_feedback", "created_at"),
            ("recommendation_jobs", "run_at"),
            ("recommendation_notices", "told_at"),
            ("recommendation_runs", "as_of"),
            ("recommendations", "starts_at"),
            ("text_embeddings", "created_at"),
            ("users", "created_at"),
            ("vault_imports", "as_of"),
            ("vault_readings", "created_at"),
        ].map { table, column in
            ConstraintViolation.check(
                "\(table)_moments_check",
                "update public.\(table) set \(column) = 'infinity'"
            )
        } + [
            // Added to its table later.
            .check(
                "users_device_registered_at_check",
                "update public.users set device_registered_at = 'infinity'"
            )
        ]
}

import KnotDomain

/// The statements that read one vault, all in one round trip; every name is qualified, since roles have no search path.
enum VaultStatements {
    /// The results in the order of the statements.
    enum Part: Int, CaseIterable {
        case vault
        case interests
        case milestones
        case vibes
        case budgets
        case loveLanguages
        case hints
        case history
        case feedback
        case weights
        case imported
        case hintReadings
        case vaultReadings
    }

    static func all(_ id: PostgresUUID, _ embeddings: HintEmbeddings) -> [SQLQuery] {
        Part.allCases.map { $0.statement(id, embeddings) }
    }

    /// A page of ids in their order.
    static func ids(after: PostgresUUID?, limit: Int) -> SQLQuery {
        guard let after else { return "select v.id from public.partner_vaults v order by v.id limit \(limit)" }
        return "select v.id from public.partner_vaults v where v.id > \(after) order by v.id limit \(limit)"
    }
}

extension VaultStatements.Part {
    fileprivate func statement(_ id: PostgresUUID, _ embeddings: HintEmbeddings) -> SQLQuery {
        switch self {
        case .vault:
            """
            select v.id, v.user_id, v.partner_name, v.relationship_tenure_months, v.cohabitation_status,
                v.location_city, v.location_state, v.location_country, u.timezone, current_user::text as role,
                session_user::text as session
            from public.partner_vaults v left join public.users u on u.id = v.user_id
            where v.id = \(id)
            """
        case .interests:
            """
            select i.id, i.interest_type, i.interest_category from public.partner_interests i
            where i.vault_id = \(id) order by i.created_at, i.id
            """
        case .milestones:
            """
            select m.id, m.milestone_type, m.milestone_name, m.milestone_date, m.recurrence, m.budget_tier
            from public.partner_milestones m where m.vault_id = \(id) order by m.created_at, m.id
            """
        case .vibes:
            """
            select b.id, b.vibe_tag from public.partner_vibes b
            where b.vault_id = \(id) order by b.created_at, b.id
            """
        case .budgets:
            """
            select b.occasion_type, b.min_amount, b.max_amount, b.currency from public.partner_budgets b
            where b.vault_id = \(id)
            """
        case .loveLanguages:
            "select l.language, l.priority from public.partner_love_languages l where l.vault_id = \(id)"
        case .hints:
            """
            select h.id, h.hint_text, h.source, h.created_at, h.is_used,
                \(fragment: embeddings.column) as hint_embedding, h.hint_embedding_model
            from public.hints h where h.vault_id = \(id) order by h.created_at, h.id
            """
        case .history:
            """
            select r.id, r.title, r.recommendation_type, r.merchant_name, r.external_url, r.price_cents, r.created_at
            from public.recommendations r where r.vault_id = \(id)
            order by r.created_at, r.id
            """
        case .feedback:
            """
            select f.id, f.recommendation_id, f.action, f.rating, f.feedback_text
            from public.recommendation_feedback f join public.recommendations r on r.id = f.recommendation_id
            where r.vault_id = \(id) order by f.created_at, f.id
            """
        case .weights:
            """
            select w.weights, w.revision, w.signal_count, w.half_life_days, w.as_of
            from public.learned_weights w where w.vault_id = \(id)
            """
        case .imported:
            """
            select i.name, i.as_of, i.request, i.rates, i.layout, i.file_digest
            from public.vault_imports i where i.vault_id = \(id)
            """
        case .hintReadings:
            """
            select r.hint_id, r.reader, r.input_digest, r.about, r.stance, r.strength, r.serves, r.avoid, r.overrules,
                r.limits
            from public.hint_readings r where r.vault_id = \(id) and r.reader <> 'rules'
            order by r.created_at desc, r.revision desc, r.reader, r.id
            """
        case .vaultReadings:
            """
            select r.occasion_type, r.reader, r.input_digest, r.serves, r.avoid
            from public.vault_readings r where r.vault_id = \(id) and r.reader <> 'rules'
            order by r.created_at desc, r.revision desc, r.reader, r.id
            """
        }
    }
}

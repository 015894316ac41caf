import KnotDomain
import PostgresClient

/// The statements that read vaults, all in one round trip; every name is qualified, since roles have no search path.
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

    /// The column that says whose a row is, where several vaults are read at once.
    static let owner = "of_vault"

    static func all(_ id: PostgresUUID, _ embeddings: HintEmbeddings) -> [SQLQuery] {
        Part.allCases.map { $0.statement(.one(id), embeddings) }
    }

    /// The same for several vaults: the rows of each stand together, in the order they have when it is read alone.
    static func all(_ ids: [PostgresUUID], _ embeddings: HintEmbeddings) -> [SQLQuery] {
        Part.allCases.map { $0.statement(.many(ids), embeddings) }
    }

    /// Under row security those of one person.
    static let count: SQLQuery = "select count(*) as n from public.partner_vaults"

    /// One row where the vault is there.
    static func presence(_ id: PostgresUUID) -> SQLQuery {
        "select v.id from public.partner_vaults v where v.id = \(id)"
    }

    /// A page of ids in their order.
    static func ids(after: PostgresUUID?, limit: Int) -> SQLQuery {
        guard let after else { return "select v.id from public.partner_vaults v order by v.id limit \(limit)" }
        return "select v.id from public.partner_vaults v where v.id > \(after) order by v.id limit \(limit)"
    }

    /// Which vaults are read.
    fileprivate enum Selection {
        case one(PostgresUUID)
        case many([PostgresUUID])

        /// What follows the column of the vault's id.
        var isIt: SQLQuery {
            switch self {
            case .one(let id): " = \(id)"
            case .many(let ids): " = any (\(ids))"
            }
        }

        /// One more column, where it is needed.
        func owner(_ column: StaticString) -> SQLQuery {
            switch self {
            case .one: ""
            case .many: ", \(unescaped: column) as of_vault"
            }
        }
    }
}

extension VaultStatements.Part {
    fileprivate func statement(
        _ selection: VaultStatements.Selection,
        _ embeddings: HintEmbeddings
    ) -> SQLQuery {
        let isIt = selection.isIt
        switch self {
        case .vault:
            return """
                select v.id, v.user_id, v.partner_name, v.relationship_tenure_months, v.cohabitation_status,
                    v.location_city, v.location_state, v.location_country, u.timezone, current_user::text as role,
                    session_user::text as session\(fragment: selection.owner("v.id"))
                from public.partner_vaults v left join public.users u on u.id = v.user_id
                where v.id\(fragment: isIt) order by v.id
                """
        case .interests:
            return """
                select i.id, i.interest_type, i.interest_category\(fragment: selection.owner("i.vault_id"))
                from public.partner_interests i
                where i.vault_id\(fragment: isIt) order by i.vault_id, i.created_at, i.id
                """
        case .milestones:
            return """
                select m.id, m.milestone_type, m.milestone_name, m.milestone_date, m.recurrence, m.budget_tier
                    \(fragment: selection.owner("m.vault_id"))
                from public.partner_milestones m
                where m.vault_id\(fragment: isIt) order by m.vault_id, m.created_at, m.id
                """
        case .vibes:
            return """
                select b.id, b.vibe_tag\(fragment: selection.owner("b.vault_id")) from public.partner_vibes b
                where b.vault_id\(fragment: isIt) order by b.vault_id, b.created_at, b.id
                """
        case .budgets:
            return """
                select b.occasion_type, b.min_amount, b.max_amount, b.currency
                    \(fragment: selection.owner("b.vault_id"))
                from public.partner_budgets b where b.vault_id\(fragment: isIt) order by b.vault_id
                """
        case .loveLanguages:
            return """
                select l.language, l.priority\(fragment: selection.owner("l.vault_id"))
                from public.partner_love_languages l where l.vault_id\(fragment: isIt) order by l.vault_id
                """
        case .hints:
            return """
                select h.id, h.hint_text, h.source, h.created_at, h.is_used,
                    \(fragment: embeddings.column) as hint_embedding, h.hint_embedding_model
                    \(fragment: selection.owner("h.vault_id"))
                from public.hints h where h.vault_id\(fragment: isIt) order by h.vault_id, h.created_at, h.id
                """
        case .history:
            return """
                select r.id, r.title, r.recommendation_type, r.merchant_name, r.external_url, r.price_cents,
                    r.created_at\(fragment: selection.owner("r.vault_id"))
                from public.recommendations r
                where r.vault_id\(fragment: isIt) order by r.vault_id, r.created_at, r.id
                """
        case .feedback:
            // A stranger's word on it is nobody's history.
            return """
                select f.id, f.recommendation_id, f.action, f.rating, f.feedback_text
                    \(fragment: selection.owner("r.vault_id"))
                from public.recommendation_feedback f join public.recommendations r on r.id = f.recommendation_id
                join public.partner_vaults v on v.id = r.vault_id and v.user_id = f.user_id
                where r.vault_id\(fragment: isIt) order by r.vault_id, f.created_at, f.id
                """
        case .weights:
            return """
                select w.weights, w.revision, w.signal_count, w.half_life_days, w.as_of
                    \(fragment: selection.owner("w.vault_id"))
                from public.learned_weights w where w.vault_id\(fragment: isIt) order by w.vault_id
                """
        case .imported:
            return """
                select i.name, i.as_of, i.request, i.rates, i.layout, i.file_digest
                    \(fragment: selection.owner("i.vault_id"))
                from public.vault_imports i where i.vault_id\(fragment: isIt) order by i.vault_id
                """
        case .hintReadings:
            return """
                select r.hint_id, r.reader, r.input_digest, r.about, r.stance, r.strength, r.serves, r.avoid,
                    r.overrules, r.limits\(fragment: selection.owner("r.vault_id"))
                from public.hint_readings r where r.vault_id\(fragment: isIt) and r.reader <> 'rules'
                order by r.vault_id, r.created_at desc, r.revision desc, r.reader, r.id
                """
        case .vaultReadings:
            return """
                select r.occasion_type, r.reader, r.input_digest, r.serves, r.avoid
                    \(fragment: selection.owner("r.vault_id"))
                from public.vault_readings r where r.vault_id\(fragment: isIt) and r.reader <> 'rules'
                order by r.vault_id, r.created_at desc, r.revision desc, r.reader, r.id
                """
        }
    }
}

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
        case phrases
    }

    /// The column that says whose a row is, where several vaults are read at once.
    static let owner = "of_vault"

    static func all(_ id: PostgresUUID, _ embeddings: HintEmbeddings) -> [SQLQuery] {
        Part.allCases.map { $0.statement(.one(id), embeddings) }
    }

    /// The results of those that a vault's document is made of, first among all.
    static func document(_ id: PostgresUUID) -> [SQLQuery] {
        Part.allCases.prefix(through: Part.weights.rawValue).map { $0.statement(.one(id), .none) }
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

        /// The rows of a table of vaults, and other columns of theirs.
        func rows(
            of table: VaultTable,
            with others: SQLQuery = "",
            order: StaticString = "t.created_at, t.id"
        ) -> SQLQuery {
            """
            select \(fragment: table.selection)\(fragment: others)\(fragment: owner("t.vault_id"))
            from \(fragment: table.sql) t where t.vault_id\(fragment: isIt) order by t.vault_id, \(unescaped: order)
            """
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
    fileprivate func statement(_ selection: VaultStatements.Selection, _ embeddings: HintEmbeddings) -> SQLQuery {
        let isIt = selection.isIt
        switch self {
        case .vault:
            return """
                select \(fragment: VaultTable.vault.selection), u.timezone, current_user::text as role,
                    session_user::text as session, \(fragment: SetStatements.historyMark("t.id")) as history_mark
                    \(fragment: selection.owner("t.id"))
                from public.partner_vaults t left join public.users u on u.id = t.user_id
                where t.id\(fragment: isIt) order by t.id
                """
        case .interests: return selection.rows(of: .interests)
        case .milestones: return selection.rows(of: .milestones)
        case .vibes: return selection.rows(of: .vibes)
        case .budgets: return selection.rows(of: .budgets, order: "t.occasion_type")
        case .loveLanguages: return selection.rows(of: .loveLanguages, order: "t.priority")
        case .hints:
            return selection.rows(
                of: .hints,
                with: ", \(fragment: embeddings.column) as hint_embedding, t.hint_embedding_model"
            )
        case .history: return selection.rows(of: .history)
        case .feedback:
            // A stranger's word on it is nobody's history.
            return """
                select \(fragment: VaultTable.feedback.selection)\(fragment: selection.owner("r.vault_id"))
                from public.recommendation_feedback t join public.recommendations r on r.id = t.recommendation_id
                join public.partner_vaults v on v.id = r.vault_id and v.user_id = t.user_id
                where r.vault_id\(fragment: isIt) order by r.vault_id, t.created_at, t.id
                """
        case .weights:
            return """
                select w.weights, w.revision, w.signal_count, w.half_life_days, w.as_of, w.imported is not null as is_imported
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
        case .phrases:
            return """
                select p.text_digest, p.embedding\(fragment: selection.owner("p.vault_id"))
                from public.text_embeddings p where p.vault_id\(fragment: isIt) and p.model = \(embeddings.model)
                order by p.vault_id
                """
        }
    }
}

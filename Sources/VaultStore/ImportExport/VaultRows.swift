import Digest
import JSONDocument
import KnotDomain
import PostgresClient

/// One vault as the rows of its tables, each an object whose members are named like the columns.
///
/// Texts are as they were written, without what no column can hold: what is to be cleaned, the reader cleans.
struct VaultRows: Sendable {
    var vault: JSONObject
    var timeZone: JSONValue
    var interests: [JSONObject] = []
    var milestones: [JSONObject] = []
    var vibes: [JSONObject] = []
    var budgets: [JSONObject] = []
    var languages: [JSONObject] = []
    var hints: [JSONObject] = []
    var history: [JSONObject] = []
    var feedback: [JSONObject] = []
    /// What was learned, as a fixture's vault says it; null where nothing was.
    var learned: JSONValue = .null
    /// What is wrong with stored rows that hold what no value of ours can.
    var problems: [JSONProblem] = []

    /// Rows of a vault that the domain has accepted, from the very document it was read from.
    init(_ vault: Vault, original: JSONValue) {
        let texts = original.withoutZeros
        let place = texts["location"]
        self.vault = JSONObject([
            .init(name: "id", value: .string(vault.id.text.lowercased())),
            .init(name: "user_id", value: .string(vault.userID.text.lowercased())),
            .init(name: "partner_name", value: texts["partner_name"] ?? .null),
            .init(name: "relationship_tenure_months", value: JSONValue(vault.tenureMonths)),
            .init(name: "cohabitation_status", value: JSONValue(vault.cohabitation?.rawValue)),
            .init(name: "location_city", value: Self.text(place?["city"], vault.location?.city)),
            .init(name: "location_state", value: Self.text(place?["state"], vault.location?.state)),
            .init(name: "location_country", value: JSONValue(vault.location?.country)),
        ])
        timeZone = texts["timezone"] ?? .null
        for (type, name) in [("like", "likes"), ("dislike", "dislikes")] {
            for item in texts[name]?.array ?? [] {
                interests.append(
                    JSONObject([
                        .init(name: "interest_type", value: .string(type)),
                        .init(name: "interest_category", value: item),
                    ])
                )
            }
        }
        vibes = vault.vibes.map { JSONObject([.init(name: "vibe_tag", value: .string($0.rawValue))]) }
        for tier in OccasionTier.allCases {
            guard let budget = vault.budgets[tier] else { continue }
            budgets.append(
                JSONObject([
                    .init(name: "occasion_type", value: .string(tier.rawValue)),
                    .init(name: "min_amount", value: .integer(budget.minimum)),
                    .init(name: "max_amount", value: .integer(budget.maximum)),
                    .init(name: "currency", value: .string(budget.currency.code)),
                ])
            )
        }
        for (priority, language) in [(1, vault.loveLanguages.primary), (2, vault.loveLanguages.secondary)] {
            languages.append(
                JSONObject([
                    .init(name: "language", value: .string(language.rawValue)),
                    .init(name: "priority", value: .integer(priority)),
                ])
            )
        }
        learned = vault.learned?.json ?? .null
        addMilestones(vault, texts)
        addHints(vault, texts)
        addHistory(vault, texts)
    }

    private mutating func addMilestones(_ vault: Vault, _ texts: JSONValue) {
        for (milestone, raw) in zip(vault.milestones, texts["milestones"]?.array ?? []) {
            milestones.append(
                JSONObject([
                    .init(name: "id", value: .string(milestone.id.text.lowercased())),
                    .init(name: "milestone_type", value: .string(milestone.kind.rawValue)),
                    .init(name: "milestone_name", value: raw["name"] ?? .null),
                    .init(name: "milestone_date", value: .string(milestone.date.description)),
                    .init(name: "recurrence", value: .string(milestone.recurrence.rawValue)),
                    .init(name: "budget_tier", value: .string(milestone.tier.rawValue)),
                ])
            )
        }
    }

    private mutating func addHints(_ vault: Vault, _ texts: JSONValue) {
        for (hint, raw) in zip(vault.hints, texts["hints"]?.array ?? []) {
            hints.append(
                JSONObject([
                    .init(name: "id", value: .string(hint.id.text.lowercased())),
                    .init(name: "hint_text", value: raw["text"] ?? .null),
                    .init(name: "source", value: .string(hint.source.rawValue)),
                    .init(name: "created_at", value: .string(hint.createdAt.iso8601)),
                    .init(name: "is_used", value: .bool(hint.isUsed)),
                ])
            )
        }
    }

    private mutating func addHistory(_ vault: Vault, _ texts: JSONValue) {
        for (place, (item, raw)) in zip(vault.history, texts["history"]?.array ?? []).enumerated() {
            let id = Self.historyID(vault.id, place)
            history.append(
                JSONObject([
                    .init(name: "id", value: .string(id)),
                    .init(name: "recommendation_type", value: .string(item.type.rawValue)),
                    .init(name: "title", value: raw["title"] ?? .null),
                    .init(name: "external_url", value: JSONValue(item.url)),
                    .init(name: "price_cents", value: JSONValue(item.priceCents)),
                    .init(name: "merchant_name", value: Self.text(raw["merchant"], item.merchant)),
                    .init(name: "created_at", value: .string(item.at.iso8601)),
                ])
            )
            for (feedback, said) in zip(item.feedback, raw["feedback"]?.array ?? []) {
                self.feedback.append(
                    JSONObject([
                        .init(name: "recommendation_id", value: .string(id)),
                        .init(name: "action", value: .string(feedback.action.rawValue)),
                        .init(name: "rating", value: JSONValue(feedback.rating)),
                        .init(name: "feedback_text", value: Self.text(said["reason"], feedback.reason)),
                        .init(name: "created_at", value: .string(item.at.iso8601)),
                    ])
                )
            }
        }
    }

    /// A blank text is none.
    private static func text(_ written: JSONValue?, _ cleaned: String?) -> JSONValue {
        cleaned == nil ? .null : written ?? .null
    }

    /// The id of an imported vault's item: the same each time it is imported, and nobody else's.
    private static func historyID(_ vault: VaultID, _ place: Int) -> String {
        let bytes = SHA256Digest(of: "history:\(vault.text.lowercased()):\(place)").bytes
        let high = bytes[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & ~0xF000 | 0x8000
        let low = bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & ~(0b11 << 62) | 0b10 << 62
        return PostgresUUID(high: high, low: low).description
    }
}

extension VaultRows {
    /// Inserts everything but the person; rows of one list keep their order by moments a microsecond apart.
    func insertions(vault id: PostgresUUID, user: PostgresUUID) -> [SQLQuery] {
        [
            "update public.users set timezone = \(timeZone.string) where id = \(user)",
            """
            insert into public.partner_vaults (
                id, user_id, partner_name, relationship_tenure_months, cohabitation_status, location_city,
                location_state, location_country
            )
            select v.* from pg_catalog.jsonb_to_record(\(.object(vault) as JSONValue)) as v (
                id uuid, user_id uuid, partner_name text, relationship_tenure_months int4, cohabitation_status text,
                location_city text, location_state text, location_country text
            )
            """,
            """
            insert into public.partner_interests (vault_id, interest_type, interest_category, created_at)
            select \(id), i.interest_type, i.interest_category, now() + i.ordinality * interval '1 microsecond'
            from rows from (
                pg_catalog.jsonb_to_recordset(\(Self.list(interests))) as (interest_type text, interest_category text)
            ) with ordinality as i
            """,
            """
            insert into public.partner_milestones (
                vault_id, id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier, created_at
            )
            select \(id), m.id, m.milestone_type, m.milestone_name, m.milestone_date, m.recurrence, m.budget_tier,
                now() + m.ordinality * interval '1 microsecond'
            from rows from (
                pg_catalog.jsonb_to_recordset(\(Self.list(milestones))) as (
                    id uuid, milestone_type text, milestone_name text, milestone_date date, recurrence text,
                    budget_tier text
                )
            ) with ordinality as m
            """,
            """
            insert into public.partner_vibes (vault_id, vibe_tag, created_at)
            select \(id), b.vibe_tag, now() + b.ordinality * interval '1 microsecond'
            from rows from (
                pg_catalog.jsonb_to_recordset(\(Self.list(vibes))) as (vibe_tag text)
            ) with ordinality as b
            """,
            """
            insert into public.partner_budgets (vault_id, occasion_type, min_amount, max_amount, currency)
            select \(id), b.* from pg_catalog.jsonb_to_recordset(\(Self.list(budgets))) as b (
                occasion_type text, min_amount int4, max_amount int4, currency text
            )
            """,
            """
            insert into public.partner_love_languages (vault_id, language, priority)
            select \(id), l.* from pg_catalog.jsonb_to_recordset(\(Self.list(languages))) as l (
                language text, priority int4
            )
            """,
            Self.insertion(of: hints, vault: id),
            """
            insert into public.recommendations (
                vault_id, id, recommendation_type, title, external_url, price_cents, merchant_name, created_at
            )
            select \(id), r.* from pg_catalog.jsonb_to_recordset(\(Self.list(history))) as r (
                id uuid, recommendation_type text, title text, external_url text, price_cents int4, merchant_name text,
                created_at timestamptz
            )
            """,
            """
            insert into public.recommendation_feedback (
                user_id, recommendation_id, action, rating, feedback_text, created_at
            )
            select \(user), f.recommendation_id, f.action, f.rating, f.feedback_text,
                f.created_at + f.ordinality * interval '1 microsecond'
            from rows from (
                pg_catalog.jsonb_to_recordset(\(Self.list(feedback))) as (
                    recommendation_id uuid, action text, rating int4, feedback_text text, created_at timestamptz
                )
            ) with ordinality as f
            """,
        ]
    }

    static func insertion(of hints: [JSONObject], vault: PostgresUUID) -> SQLQuery {
        """
        insert into public.hints (vault_id, id, hint_text, source, created_at, is_used)
        select \(vault), h.* from pg_catalog.jsonb_to_recordset(\(list(hints))) as h (
            id uuid, hint_text text, source text, created_at timestamptz, is_used bool
        )
        """
    }

    private static func list(_ rows: [JSONObject]) -> JSONValue { .array(rows.map(JSONValue.object)) }
}

import JSONDocument

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

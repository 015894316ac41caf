/// The vaults that the store is measured with.
enum DatabaseSeed {
    /// Five hundred hints with embeddings.
    static let embedded = "00000000-0000-4000-8000-000000000002"
    /// Five hundred hints without.
    static let plain = "00000000-0000-4000-8000-000000000003"
    /// A dozen hints.
    static let small = "00000000-0000-4000-8000-000000000004"

    static let script = """
        insert into auth.users (id) select ('00000000-0000-4000-8000-00000000000' || n)::uuid from generate_series(2, 4) n;
        insert into public.partner_vaults (id, user_id, partner_name, location_city)
            select id, id, 'Dot', 'Macon' from public.users;
        insert into public.partner_interests (vault_id, interest_type, interest_category)
            select id, k, k || n from public.users, generate_series(1, 5) n, unnest(array['like', 'dislike']) k;
        insert into public.partner_vibes (vault_id, vibe_tag)
            select id, unnest(array['vintage', 'romantic']) from public.users;
        insert into public.partner_budgets (vault_id, occasion_type, min_amount, max_amount)
            select id, unnest(array['just_because', 'minor_occasion', 'major_milestone']), 1, 2 from public.users;
        insert into public.partner_love_languages (vault_id, language, priority)
            select id, 'quality_time', 1 from public.users union all select id, 'physical_touch', 2 from public.users;
        insert into public.partner_milestones (
            vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier
        )
            select id, 'custom', 'Day ' || n, '2000-05-06', 'yearly', 'minor_occasion'
            from public.users, generate_series(1, 6) n;
        insert into public.hints (vault_id, hint_text, source, created_at, hint_embedding, hint_embedding_model)
            select u.id,
                'she said something worth remembering about thing number ' || n || ', and it was a longer sentence than '
                    || 'most of them are',
                'text_input', now() - n * interval '1 day',
                case when u.id = '\(embedded)' then
                    (select array_agg(random() - 0.5 + n * 0 * k) from generate_series(1, 768) k)::public.vector
                end,
                case when u.id = '\(embedded)' then 'bench' end
            from public.users u, generate_series(1, case when u.id = '\(small)' then 12 else 500 end) n;
        insert into public.recommendations (
            vault_id, recommendation_type, title, external_url, price_cents, merchant_name
        )
            select id, 'gift', 'Thing ' || n, 'https://a.example/' || n, 500, 'M'
            from public.users, generate_series(1, 30) n;
        insert into public.recommendation_feedback (recommendation_id, user_id, action, rating)
            select r.id, r.vault_id, 'rated', 4 from public.recommendations r;
        analyze;
        """
}

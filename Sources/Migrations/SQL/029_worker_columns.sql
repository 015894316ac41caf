-- The worker reads and writes, column by column, what scheduled work needs, and nothing else: no story, no judgments, no
-- file's own words, no moment that nothing depends on.
revoke all on
    public.partner_interests, public.partner_milestones, public.partner_vibes, public.partner_budgets,
    public.partner_love_languages, public.hints, public.recommendations, public.recommendation_feedback,
    public.recommendation_runs, public.notification_queue, public.recommendation_jobs, public.hint_readings,
    public.vault_readings, public.learned_weights, public.text_embeddings, public.provider_responses,
    public.catalogue_items, public.vault_imports
    from knot_worker;

grant select (id, vault_id, interest_type, interest_category, created_at) on public.partner_interests to knot_worker;
grant select (
    id, vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier, created_at
) on public.partner_milestones to knot_worker;
grant select (id, vault_id, vibe_tag, created_at) on public.partner_vibes to knot_worker;
grant select (id, vault_id, occasion_type, min_amount, max_amount, currency) on public.partner_budgets to knot_worker;
grant select (id, vault_id, language, priority) on public.partner_love_languages to knot_worker;
grant
    select (id, vault_id, hint_text, source, created_at, is_used, hint_embedding, hint_embedding_model),
    update (is_used, hint_embedding, hint_embedding_model)
    on public.hints to knot_worker;

grant
    select (
        id, vault_id, run_id, position, candidate_id, recommendation_type, title, external_url, price_cents, currency,
        merchant_name, reason, evidence, created_at
    ),
    insert (
        vault_id, milestone_id, run_id, position, candidate_id, provider, providers, recommendation_type, title,
        description, external_url, image_url, price_cents, currency, party, total_cents, budget_cents, merchant_name,
        location, starts_at, score, contributions, reason, hint_ids, evidence, availability
    )
    on public.recommendations to knot_worker;
-- With xmin, by which a set is told apart that was stored in this very transaction.
grant
    select (
        xmin, id, identity, vault_id, milestone_id, occurrence_date, occasion_type, kind, request, pipeline_name,
        pipeline_hash, outcome, result, supersedes, round, created_at
    ),
    insert (
        id, identity, identity_milestone_id, vault_id, milestone_id, occurrence_date, occasion_type, kind, request,
        pipeline_name, pipeline_hash, engine_version, seed, input_digest, as_of, outcome, reasons, counts, timings,
        result, supersedes, round
    )
    on public.recommendation_runs to knot_worker;
grant select (id, recommendation_id, user_id, action, rating, feedback_text, created_at)
    on public.recommendation_feedback to knot_worker;

grant select (id, user_id, milestone_id, scheduled_for, days_before, status, sent_at)
    on public.notification_queue to knot_worker;
-- With the token, by which an unknown commit is recognised as one's own.
grant select (
    id, vault_id, milestone_id, occurrence_date, days_before, notification_id, state, priority, run_at, attempt,
    crash_count, claim_token, lease_until, last_error_class, last_error_code, last_error_detail, run_id, finished_at
) on public.recommendation_jobs to knot_worker;

grant
    select (
        id, vault_id, hint_id, reader, revision, input_digest, about, stance, strength, serves, avoid, overrules, limits,
        created_at
    ),
    insert (
        vault_id, hint_id, reader, revision, input_digest, about, stance, strength, serves, avoid, overrules, limits
    ),
    update (input_digest, about, stance, strength, serves, avoid, overrules, limits)
    on public.hint_readings to knot_worker;
grant
    select (id, vault_id, occasion_type, reader, revision, input_digest, serves, avoid, created_at),
    insert (vault_id, occasion_type, reader, revision, input_digest, serves, avoid),
    update (input_digest, serves, avoid)
    on public.vault_readings to knot_worker;
grant
    select (vault_id, weights, reasons, revision, signal_count, half_life_days, as_of, feedback_until),
    insert (vault_id, weights, reasons, signal_count, half_life_days, as_of, feedback_until),
    update (weights, reasons, revision, signal_count, half_life_days, as_of, feedback_until)
    on public.learned_weights to knot_worker;

grant
    select (id, vault_id, model, text_digest, embedding),
    insert (vault_id, model, text_digest, embedding),
    update (embedding)
    on public.text_embeddings to knot_worker;
grant
    select (provider, request_digest, status, body, etag, fetched_at, expires_at),
    insert (provider, request_digest, status, body, etag, fetched_at, expires_at),
    update (status, body, etag, fetched_at, expires_at)
    on public.provider_responses to knot_worker;
grant delete on public.text_embeddings, public.provider_responses to knot_worker;

grant
    select (
        id, vault_id, source, candidate_id, provider, type, title, description, url, image_url, price_cents, currency,
        merchant, location_city, location_state, location_country, starts_at, rating, review_count, ships_in_days, tags,
        availability, checked_price_cents, embedding, embedding_model, words
    ),
    update (embedding, embedding_model)
    on public.catalogue_items to knot_worker;
grant select (vault_id, name, as_of, request, rates, layout, file_digest) on public.vault_imports to knot_worker;

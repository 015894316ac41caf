/// Every unique key of the schema, broken once by a second row like the first.
extension ConstraintViolation {
    static let keys: [ConstraintViolation] = [
        .unique(
            "catalogue_items_pkey",
            "insert into public.catalogue_items (id, source, candidate_id, provider, type, title, url, "
                + "currency) overriding system value select id, 'other', candidate_id, provider, type, title, url, "
                + "currency from public.catalogue_items"
        ),
        .unique(
            "catalogue_items_vault_id_source_candidate_id_key",
            "insert into public.catalogue_items (vault_id, source, candidate_id, provider, type, title, url, "
                + "currency) select vault_id, source, candidate_id, provider, type, title, url, currency from "
                + "public.catalogue_items"
        ),
        .unique(
            "catalogue_withdrawn_pkey",
            "insert into public.catalogue_withdrawn select * from public.catalogue_withdrawn"
        ),
        .unique(
            "hint_readings_hint_id_reader_revision_key",
            "insert into public.hint_readings select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.hint_readings r"
        ),
        .unique(
            "hint_readings_pkey",
            "insert into public.hint_readings select * from public.hint_readings"
        ),
        .unique(
            "hints_pkey",
            "insert into public.hints select * from public.hints"
        ),
        .unique(
            "learned_weights_pkey",
            "insert into public.learned_weights select * from public.learned_weights"
        ),
        .unique(
            "notification_queue_pkey",
            "insert into public.notification_queue select * from public.notification_queue"
        ),
        .unique(
            "partner_budgets_pkey",
            "insert into public.partner_budgets select * from public.partner_budgets"
        ),
        .unique(
            "partner_budgets_vault_id_occasion_type_key",
            "insert into public.partner_budgets select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.partner_budgets r"
        ),
        .unique(
            "partner_interests_pkey",
            "insert into public.partner_interests select * from public.partner_interests"
        ),
        .unique(
            "partner_interests_vault_id_interest_category_key",
            "insert into public.partner_interests select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.partner_interests r"
        ),
        .unique(
            "partner_love_languages_pkey",
            "insert into public.partner_love_languages select * from public.partner_love_languages"
        ),
        .unique(
            "partner_love_languages_vault_id_language_key",
            "insert into public.partner_love_languages (vault_id, language, priority) select vault_id, "
                + "language, 2 from public.partner_love_languages"
        ),
        .unique(
            "partner_love_languages_vault_id_priority_key",
            "insert into public.partner_love_languages (vault_id, language, priority) select vault_id, "
                + "'physical_touch', priority from public.partner_love_languages"
        ),
        .unique(
            "partner_milestones_pkey",
            "insert into public.partner_milestones select * from public.partner_milestones"
        ),
        .unique(
            "partner_vaults_pkey",
            "insert into public.partner_vaults select * from public.partner_vaults"
        ),
        .unique(
            "partner_vaults_user_id_key",
            "insert into public.partner_vaults select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.partner_vaults r"
        ),
        .unique(
            "partner_vibes_pkey",
            "insert into public.partner_vibes select * from public.partner_vibes"
        ),
        .unique(
            "partner_vibes_vault_id_vibe_tag_key",
            "insert into public.partner_vibes select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.partner_vibes r"
        ),
        .unique(
            "provider_responses_pkey",
            "insert into public.provider_responses select * from public.provider_responses"
        ),
        .unique(
            "recommendation_feedback_pkey",
            "insert into public.recommendation_feedback select * from public.recommendation_feedback"
        ),
        .unique(
            "recommendation_jobs_milestone_id_occurrence_date_days_befor_key",
            "insert into public.recommendation_jobs select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.recommendation_jobs r"
        ),
        .unique(
            "recommendation_jobs_pkey",
            "insert into public.recommendation_jobs select * from public.recommendation_jobs"
        ),
        .unique(
            "recommendation_notices_pkey",
            "insert into public.recommendation_notices select * from public.recommendation_notices"
        ),
        .unique(
            "recommendation_runs_pkey",
            "insert into public.recommendation_runs select * from public.recommendation_runs"
        ),
        .unique(
            "recommendations_pkey",
            "insert into public.recommendations select * from public.recommendations"
        ),
        .unique(
            "recommendations_run_position_key",
            "insert into public.recommendations select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.recommendations r"
        ),
        .unique(
            "text_embeddings_pkey",
            "insert into public.text_embeddings (id, model, text_digest, embedding) overriding system value "
                + "select id, 'other', text_digest, embedding from public.text_embeddings"
        ),
        .unique(
            "text_embeddings_vault_id_model_text_digest_key",
            "insert into public.text_embeddings (model, text_digest, embedding) select 'n', text_digest, "
                + "embedding from public.text_embeddings, generate_series(1, 2)"
        ),
        .unique(
            "users_pkey",
            "insert into public.users select * from public.users"
        ),
        .unique(
            "vault_import_files_pkey",
            "insert into public.vault_import_files select * from public.vault_import_files"
        ),
        .unique(
            "vault_imports_pkey",
            "insert into public.vault_imports select * from public.vault_imports"
        ),
        .unique(
            "vault_readings_pkey",
            "insert into public.vault_readings select * from public.vault_readings"
        ),
        .unique(
            "vault_readings_vault_id_occasion_type_reader_revision_key",
            "insert into public.vault_readings select (jsonb_populate_record(r, jsonb_build_object('id', "
                + "gen_random_uuid()))).* from public.vault_readings r"
        ),
    ]
}

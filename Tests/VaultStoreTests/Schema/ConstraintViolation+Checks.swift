/// Every check of the schema, broken once.
extension ConstraintViolation {
    static let checks: [ConstraintViolation] = [
        .check("catalogue_items_availability_check", "update public.catalogue_items set availability = 'maybe'"),
        .check("catalogue_items_candidate_id_check", "update public.catalogue_items set candidate_id = ''"),
        .check("catalogue_items_check", "update public.catalogue_items set embedding_model = 'm'"),
        .check(
            "catalogue_items_checked_price_cents_check",
            "update public.catalogue_items set checked_price_cents = -1"
        ),
        .check("catalogue_items_currency_check", "update public.catalogue_items set currency = 'usd'"),
        .check("catalogue_items_price_cents_check", "update public.catalogue_items set price_cents = -1"),
        .check("catalogue_items_provider_check", "update public.catalogue_items set provider = 'A Shop'"),
        .check("catalogue_items_rating_check", "update public.catalogue_items set rating = -1"),
        .check("catalogue_items_review_count_check", "update public.catalogue_items set review_count = -1"),
        .check("catalogue_items_ships_in_days_check", "update public.catalogue_items set ships_in_days = -1"),
        .check("catalogue_items_source_check", "update public.catalogue_items set source = ''"),
        .check("catalogue_items_type_check", "update public.catalogue_items set type = 'thing'"),
        .check("hint_readings_about_check", "update public.hint_readings set about = 'neighbour'"),
        .check("hint_readings_input_digest_check", "update public.hint_readings set input_digest = 'abc'"),
        .check("hint_readings_reader_check", "update public.hint_readings set reader = ''"),
        .check("hint_readings_revision_check", "update public.hint_readings set revision = -1"),
        .check("hint_readings_stance_check", "update public.hint_readings set stance = 'maybe'"),
        .check("hint_readings_strength_check", "update public.hint_readings set strength = 1.5"),
        .check("hints_source_check", "update public.hints set source = 'telepathy'"),
        .check("learned_weights_half_life_days_check", "update public.learned_weights set half_life_days = 0"),
        .check("learned_weights_imported_check", "update public.learned_weights set imported = '[]'"),
        .check("learned_weights_reasons_check", "update public.learned_weights set reasons = '{}'"),
        .check("learned_weights_revision_check", "update public.learned_weights set revision = 0"),
        .check("learned_weights_signal_count_check", "update public.learned_weights set signal_count = -1"),
        .check("learned_weights_weights_check", "update public.learned_weights set weights = '[]'"),
        .check("notification_queue_days_before_check", "update public.notification_queue set days_before = 5"),
        .check("notification_queue_status_check", "update public.notification_queue set status = 'lost'"),
        .check("partner_budgets_check", "update public.partner_budgets set max_amount = min_amount - 1"),
        .check("partner_budgets_min_amount_check", "update public.partner_budgets set min_amount = -1"),
        .check("partner_budgets_occasion_type_check", "update public.partner_budgets set occasion_type = 'huge'"),
        .check("partner_interests_interest_type_check", "update public.partner_interests set interest_type = 'love'"),
        .check("partner_love_languages_language_check", "update public.partner_love_languages set language = 'gifts'"),
        .check("partner_love_languages_priority_check", "update public.partner_love_languages set priority = 3"),
        .check("partner_milestones_budget_tier_check", "update public.partner_milestones set budget_tier = 'huge'"),
        .check(
            "partner_milestones_milestone_type_check",
            "update public.partner_milestones set milestone_type = 'name_day'"
        ),
        .check("partner_milestones_recurrence_check", "update public.partner_milestones set recurrence = 'monthly'"),
        .check(
            "partner_vaults_cohabitation_status_check",
            "update public.partner_vaults set cohabitation_status = 'married'"
        ),
        .check("partner_vibes_vibe_tag_check", "update public.partner_vibes set vibe_tag = 'punk'"),
        .check(
            "provider_responses_check",
            "update public.provider_responses set expires_at = fetched_at - interval '1 second'"
        ),
        .check("provider_responses_provider_check", "update public.provider_responses set provider = ''"),
        .check(
            "provider_responses_request_digest_check",
            "update public.provider_responses set request_digest = '\\x00'"
        ),
        .check("provider_responses_status_check", "update public.provider_responses set status = 99"),
        .check("recommendation_feedback_action_check", "update public.recommendation_feedback set action = 'burned'"),
        .check("recommendation_feedback_rating_check", "update public.recommendation_feedback set rating = 6"),
        .check("recommendation_jobs_attempt_check", "update public.recommendation_jobs set attempt = -1"),
        .check("recommendation_jobs_check", "update public.recommendation_jobs set state = 'running'"),
        .check("recommendation_jobs_check1", "update public.recommendation_jobs set state = 'dead'"),
        .check("recommendation_jobs_crash_count_check", "update public.recommendation_jobs set crash_count = -1"),
        .check("recommendation_jobs_days_before_check", "update public.recommendation_jobs set days_before = 5"),
        .check(
            "recommendation_jobs_last_error_class_check",
            "update public.recommendation_jobs set last_error_class = 'unknown'"
        ),
        .check(
            "recommendation_jobs_last_error_code_check",
            "update public.recommendation_jobs set last_error_code = 'Not A Code'"
        ),
        .check(
            "recommendation_jobs_last_error_detail_check",
            "update public.recommendation_jobs set last_error_detail = repeat('x', 201)"
        ),
        .check("recommendation_jobs_state_check", "update public.recommendation_jobs set state = 'lost'"),
        .check("recommendation_runs_check", "update public.recommendation_runs set id = gen_random_uuid()"),
        .check("recommendation_runs_check1", "update public.recommendation_runs set supersedes = id"),
        .check("recommendation_runs_counts_check", "update public.recommendation_runs set counts = '[]'"),
        .check(
            "recommendation_runs_identity_check",
            "update public.recommendation_runs set identity = left(identity, 63) || 'g'"
        ),
        .check("recommendation_runs_input_digest_check", "update public.recommendation_runs set input_digest = 'abc'"),
        .check("recommendation_runs_kind_check", "update public.recommendation_runs set kind = 'fixture'"),
        .check(
            "recommendation_runs_occasion_type_check",
            "update public.recommendation_runs set occasion_type = 'huge'"
        ),
        .check("recommendation_runs_outcome_check", "update public.recommendation_runs set outcome = 'failed'"),
        .check(
            "recommendation_runs_pipeline_hash_check",
            "update public.recommendation_runs set pipeline_hash = 'abc'"
        ),
        .check("recommendation_runs_reasons_check", "update public.recommendation_runs set reasons = '{}'"),
        .check("recommendation_runs_request_check", "update public.recommendation_runs set request = ''"),
        .check("recommendation_runs_round_check", "update public.recommendation_runs set round = -1"),
        .check("recommendation_runs_seed_check", "update public.recommendation_runs set seed = -1"),
        .check("recommendation_runs_timings_check", "update public.recommendation_runs set timings = '[]'"),
        .check("recommendations_availability_check", "update public.recommendations set availability = 'maybe'"),
        .check("recommendations_budget_cents_check", "update public.recommendations set budget_cents = -1"),
        .check("recommendations_contributions_check", "update public.recommendations set contributions = '[]'"),
        .check("recommendations_currency_check", "update public.recommendations set currency = 'usd'"),
        .check("recommendations_evidence_check", "update public.recommendations set evidence = '{}'"),
        .check("recommendations_location_check", "update public.recommendations set location = '[]'"),
        .check("recommendations_of_a_run_are_whole", "update public.recommendations set reason = null"),
        .check("recommendations_party_check", "update public.recommendations set party = 3"),
        .check("recommendations_position_check", "update public.recommendations set position = 4"),
        .check("recommendations_position_needs_run", "update public.recommendations set run_id = null"),
        .check("recommendations_price_cents_check", "update public.recommendations set price_cents = -1"),
        .check(
            "recommendations_recommendation_type_check",
            "update public.recommendations set recommendation_type = 'thing'"
        ),
        .check("recommendations_total_cents_check", "update public.recommendations set total_cents = -1"),
        .check(
            "text_embeddings_embedding_check",
            "update public.text_embeddings set embedding = array_fill(0.5, array[769])::vector"
        ),
        .check("text_embeddings_model_check", "update public.text_embeddings set model = ''"),
        .check("text_embeddings_text_digest_check", "update public.text_embeddings set text_digest = '\\x00'"),
        .check("users_quiet_hours_end_check", "update public.users set quiet_hours_end = 24"),
        .check("users_quiet_hours_start_check", "update public.users set quiet_hours_start = -1"),
        .check("vault_import_files_check", "update public.vault_import_files set file = 'likes mops'"),
        .check(
            "vault_import_files_document_digest_check",
            "update public.vault_import_files set document_digest = 'abc'"
        ),
        .check("vault_imports_extra_check", "update public.vault_imports set extra = '[]'"),
        .check("vault_imports_file_digest_check", "update public.vault_imports set file_digest = 'abc'"),
        .check("vault_imports_judgments_check", "update public.vault_imports set judgments = '{}'"),
        .check("vault_imports_layout_check", "update public.vault_imports set layout = '[]'"),
        .check("vault_imports_name_check", "update public.vault_imports set name = ''"),
        .check("vault_imports_rates_check", "update public.vault_imports set rates = '[]'"),
        .check("vault_imports_request_check", "update public.vault_imports set request = '[]'"),
        .check("vault_readings_input_digest_check", "update public.vault_readings set input_digest = 'abc'"),
        .check("vault_readings_occasion_type_check", "update public.vault_readings set occasion_type = 'huge'"),
        .check("vault_readings_reader_check", "update public.vault_readings set reader = ''"),
        .check("vault_readings_revision_check", "update public.vault_readings set revision = -1"),
    ]
}

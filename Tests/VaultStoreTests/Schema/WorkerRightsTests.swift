import TestSupport
import Testing

@testable import VaultStore

/// What the worker's role may read and write, to the column.
@Suite(.tags(.database)) struct WorkerRightsTests {
    /// By table: what may be read of it, put into it and changed in it; `-` is deleting rows.
    private static let rights = """
        catalogue_items select availability candidate_id change checked_price_cents currency description embedding \
        embedding_model id image_url location_city location_country location_state merchant price_cents provider rating \
        review_count ships_in_days source starts_at tags title type url vault_id words
        catalogue_items update embedding embedding_model
        catalogue_withdrawn select candidate_id change source
        hint_readings insert about avoid hint_id input_digest limits overrules reader revision serves stance strength \
        vault_id
        hint_readings select about avoid created_at hint_id id input_digest limits overrules reader revision serves \
        stance strength vault_id
        hint_readings update about avoid input_digest limits overrules serves stance strength
        hints select created_at hint_embedding hint_embedding_model hint_text id is_used source vault_id
        hints update hint_embedding hint_embedding_model is_used
        learned_weights insert as_of feedback_until half_life_days reasons signal_count vault_id weights
        learned_weights select as_of feedback_until half_life_days imported reasons revision signal_count vault_id weights
        learned_weights update as_of feedback_until half_life_days reasons revision signal_count weights
        notification_queue select days_before id milestone_id scheduled_for sent_at status user_id
        partner_budgets select currency id max_amount min_amount occasion_type vault_id
        partner_interests select created_at id interest_category interest_type vault_id
        partner_love_languages select id language priority vault_id
        partner_milestones select budget_tier created_at id milestone_date milestone_name milestone_type recurrence \
        vault_id
        partner_vaults select cohabitation_status id location_city location_country location_state partner_name \
        relationship_tenure_months user_id
        partner_vaults update id
        partner_vibes select created_at id vault_id vibe_tag
        provider_responses delete -
        provider_responses insert body etag expires_at fetched_at provider request_digest status
        provider_responses select body etag expires_at fetched_at provider request_digest status
        provider_responses update body etag expires_at fetched_at status
        recommendation_feedback select action created_at feedback_text id rating recommendation_id user_id
        recommendation_jobs select attempt claim_token claimed_by crash_count days_before finished_at id \
        last_error_class last_error_code last_error_detail lease_until milestone_id notice_id notification_id \
        occurrence_date priority run_at run_id state vault_id
        recommendation_notices select content id told_at vault_id
        recommendation_runs insert as_of counts engine_version id identity identity_milestone_id input_digest kind \
        milestone_id occasion_type occurrence_date outcome pipeline_hash pipeline_name reasons request result round seed \
        supersedes timings vault_id
        recommendation_runs select as_of created_at id identity input_digest kind milestone_id occasion_type \
        occurrence_date outcome pipeline_hash pipeline_name request result round supersedes timings vault_id xmin
        recommendations insert availability budget_cents candidate_id contributions currency description evidence \
        external_url hint_ids image_url location merchant_name milestone_id party position price_cents provider providers \
        reason recommendation_type run_id score starts_at title total_cents vault_id
        recommendations select candidate_id created_at currency evidence external_url hint_ids id merchant_name position \
        price_cents reason recommendation_type run_id title vault_id
        text_embeddings delete -
        text_embeddings insert embedding model text_digest vault_id
        text_embeddings select embedding id model text_digest vault_id
        text_embeddings update embedding
        users select id notifications_enabled quiet_hours_end quiet_hours_start timezone
        vault_imports select as_of file_digest layout name rates request vault_id
        vault_readings insert avoid input_digest occasion_type reader revision serves vault_id
        vault_readings select avoid created_at id input_digest occasion_type reader revision serves vault_id
        vault_readings update avoid input_digest serves
        """

    @Test(arguments: ServerVersion.serving)
    func `the worker has these rights and no others`(on server: ServerVersion) async throws {
        try await SchemaDatabase.with(server) { database in
            let found = try await database.connect().column(
                """
                select concat_ws(' ', relation, privilege, columns) from (
                    select c.relname as relation, lower(g.privilege_type) as privilege,
                        string_agg(a.attname, ' ' order by a.attname collate "C") as columns
                    from pg_class c join pg_attribute a on a.attrelid = c.oid cross join aclexplode(a.attacl) g
                    where c.relnamespace = 'public'::regnamespace and g.grantee in (0, 'knot_worker'::regrole)
                    group by 1, 2
                    union all
                    select c.relname, lower(g.privilege_type), '-'
                    from pg_class c cross join aclexplode(c.relacl) g
                    where c.relnamespace = 'public'::regnamespace and g.grantee in (0, 'knot_worker'::regrole)
                ) r
                """
            ).sorted()
            #expect(found == Self.rights.split(separator: "\n").map(String.init))
        }
    }

    @Test func `the worker reads no story, no judgment and no file's own words`() async throws {
        try await SchemaDatabase.with { database in
            let worker = try database.connect(as: "knot_worker")
            for column in ["story", "judgments", "extra", "*", "imported_at"] {
                #expect(worker.refusal(of: "select \(column) from public.vault_imports")?.state == "42501", "\(column)")
            }
            #expect(worker.refusal(of: "select raw from public.catalogue_items")?.state == "42501")
        }
    }
}

import KnotDomain
import PostgresClient
import Recommendation

/// Rows in every table for as many invented people as a test wants; the ids tell whose they are.
enum SchemaSeed {
    /// The id of a person's row: the kind of row and the person are in its digits.
    static func id(_ kind: Int, of person: Int) -> String {
        let kind = String(kind, radix: 16)
        let person = String(person, radix: 16)
        let left = String(repeating: "0", count: 8 - kind.count) + kind
        return "\(left)-0000-4000-8000-" + String(repeating: "0", count: 12 - person.count) + person
    }

    static let userKind = 1
    static let vaultKind = 2

    /// A run of a person's vault as a request has it, with the id that follows from its identity.
    struct Run {
        let identity: String
        let id: String
        let request: String
    }

    static func run(of person: Int, request: String = "r") -> Run {
        let identity = RunIdentity(
            kind: .onDemand,
            vault: VaultID(id(vaultKind, of: person)),
            milestone: MilestoneID(id(3, of: person)),
            occurrence: nil,
            tier: .majorMilestone,
            request: request
        )
        return Run(identity: identity.digest, id: identity.runID, request: request)
    }

    /// The rows of some people; their imported files and notices lie in tables that older schemas lack.
    static func script(people: ClosedRange<Int>, hasFiles: Bool = true) -> String {
        people.map { script(person: $0) + (hasFiles ? file(of: $0) : "") }.joined()
    }

    private static func file(of person: Int) -> String {
        """
        insert into public.vault_import_files (vault_id, file, digest, document_digest)
            values ('\(id(vaultKind, of: person))', 'likes maps', encode(sha256('likes maps'), 'hex'), repeat('ab', 32));
        insert into public.recommendation_notices (vault_id, id, content)
            values ('\(id(vaultKind, of: person))', '\(id(6, of: person))', '{"occasions": []}');

        """
    }

    private static func script(person: Int) -> String {
        let (user, vault) = (id(userKind, of: person), id(vaultKind, of: person))
        let (milestone, hint, notice) = (id(3, of: person), id(4, of: person), id(5, of: person))
        let run = run(of: person)
        let digest = String(repeating: "ab", count: 32)
        return """
            insert into auth.users (id, email) values ('\(user)', 'p\(person)@example.org');
            insert into public.partner_vaults (id, user_id, partner_name) values ('\(vault)', '\(user)', 'P\(person)');
            insert into public.partner_interests (vault_id, interest_type, interest_category)
                values ('\(vault)', 'like', 'Art'), ('\(vault)', 'dislike', 'Cars');
            insert into public.partner_milestones
                (id, vault_id, milestone_type, milestone_name, milestone_date, recurrence)
                values ('\(milestone)', '\(vault)', 'birthday', 'Birthday', '2000-05-06', 'yearly');
            insert into public.partner_vibes (vault_id, vibe_tag) values ('\(vault)', 'vintage');
            insert into public.partner_budgets (vault_id, occasion_type, min_amount, max_amount)
                values ('\(vault)', 'major_milestone', 100, 200);
            insert into public.partner_love_languages (vault_id, language, priority)
                values ('\(vault)', 'quality_time', 1);
            insert into public.hints (id, vault_id, hint_text, source)
                values ('\(hint)', '\(vault)', 'likes maps', 'text_input');
            begin;
            \(set(of: person, hint: hint, run: run, digest: digest))
            commit;
            insert into public.recommendation_feedback (recommendation_id, user_id, action)
                select id, '\(user)', 'saved' from public.recommendations where vault_id = '\(vault)';
            insert into public.notification_queue (id, user_id, milestone_id, scheduled_for, days_before)
                values ('\(notice)', '\(user)', '\(milestone)', '2026-04-29 10:00Z', 7);
            insert into public.recommendation_jobs
                (vault_id, milestone_id, occurrence_date, days_before, notification_id, run_at)
                values ('\(vault)', '\(milestone)', '2026-05-06', 7, '\(notice)', '2026-04-29 10:00Z');
            insert into public.hint_readings (vault_id, hint_id, reader, input_digest, about, stance, strength)
                values ('\(vault)', '\(hint)', 'rules', '\(digest)', 'partner', 'likes', 0.5);
            insert into public.vault_readings (vault_id, occasion_type, reader, input_digest)
                values ('\(vault)', 'major_milestone', 'rules', '\(digest)');
            insert into public.text_embeddings (vault_id, model, text_digest, embedding)
                values ('\(vault)', 'm', decode('\(digest)', 'hex'), array_fill(1, array[768])::vector);
            insert into public.learned_weights (vault_id, weights, half_life_days, as_of)
                values ('\(vault)', '{}', 365, now());
            insert into public.catalogue_items
                (vault_id, source, candidate_id, provider, type, title, url, currency)
                values ('\(vault)', 'fixture', 'c1', 'amazon', 'gift', 'Map', 'https://a.example/1', 'USD');
            insert into public.vault_imports (vault_id, name, file_digest) values ('\(vault)', 'map', '\(digest)');

            """
    }

    /// A run of a person's vault with its three rows.
    static func set(of person: Int, run: Run, rows: Int = 3) -> String {
        set(of: person, hint: id(4, of: person), run: run, digest: String(repeating: "cd", count: 32), rows: rows)
    }

    private static func set(
        of person: Int,
        hint: String,
        run: Run,
        digest: String,
        rows: Int = 3
    ) -> String {
        let (vault, milestone) = (id(vaultKind, of: person), id(3, of: person))
        return """
            insert into public.recommendation_runs
                (id, identity, vault_id, milestone_id, occasion_type, kind, request, pipeline_name, pipeline_hash,
                engine_version, seed, input_digest, as_of, outcome, result)
                values ('\(run.id)', '\(run.identity)', '\(vault)', '\(milestone)', 'major_milestone', 'on_demand',
                '\(run.request)', 'classic', '\(digest)', '1', 18446744073709551615, '\(digest)', now(), 'complete', '{}');
            insert into public.recommendations
                (vault_id, milestone_id, recommendation_type, title, run_id, position, candidate_id, provider, score,
                currency, availability, reason, contributions, evidence, hint_ids)
                select '\(vault)', '\(milestone)', 'gift', 'Map ' || n, '\(run.id)', n, 'c' || n, 'amazon', 0.5, 'USD',
                'available', 'because', '{}', '[]', '{\(hint)}' from generate_series(1, \(rows)) n;
            """
    }
}

import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation

extension SetRecord {
    /// The run, its rows and the used hints in one statement: all of them, or none where the identity is there already.
    ///
    /// A milestone or an older run that is gone becomes null, as it would have a moment later.
    var insertion: SQLQuery {
        """
        with vault as (
            select v.id from public.partner_vaults v where v.id = \(vault)
        ), milestone as (
            select m.id from public.partner_milestones m join vault on m.vault_id = vault.id where m.id = \(milestone)
        ), run as (
            insert into public.recommendation_runs (
                id, identity, identity_milestone_id, vault_id, milestone_id, occurrence_date, occasion_type, kind, request,
                pipeline_name, pipeline_hash, engine_version, seed, input_digest, as_of, outcome, reasons, counts,
                timings, result, supersedes, round
            )
            select
                \(run), \(identity.digest), \(milestone), vault.id, (select milestone.id from milestone), \(occurrence),
                \(tier.rawValue), \(request.kind.rawValue), \(request.request), \(pipelineName), \(pipelineHash),
                \(request.engineVersion), \(String(seed))::text::pg_catalog.numeric, \(request.inputDigest), \(asOf),
                \(outcome.rawValue), \(reasons), \(counts), \(request.timings), \(result)::text::pg_catalog.json,
                (
                    select s.id from public.recommendation_runs s
                    where s.id = \(request.supersedes) and s.vault_id = vault.id
                ),
                \(round)
            from vault
            where (\(isScheduled)::bool is false or exists (select 1 from milestone))
                -- A caller's own request has one set, whatever it asks for.
                and (
                    \(request.kind.rawValue) <> 'on_demand'
                    or not exists (
                        select 1 from public.recommendation_runs o
                        where o.vault_id = vault.id and o.kind = 'on_demand' and o.request = \(request.request)
                            and o.identity <> \(identity.digest)
                    )
                )
            on conflict do nothing
            returning id, vault_id, milestone_id
        ), choice as (
            insert into public.recommendations (
                vault_id, milestone_id, run_id, position, candidate_id, provider, providers, recommendation_type, title,
                description, external_url, image_url, price_cents, currency, party, total_cents, budget_cents,
                merchant_name, location, starts_at, score, contributions, reason, hint_ids, evidence, availability
            )
            select run.vault_id, run.milestone_id, run.id, c.*
            from run
            cross join pg_catalog.jsonb_to_recordset(\(rows)) as c (
                position int2, candidate_id text, provider text, providers text[], recommendation_type text, title text,
                description text, external_url text, image_url text, price_cents int4, currency text, party int2,
                total_cents int8, budget_cents int8, merchant_name text, location jsonb, starts_at timestamptz,
                score float8, contributions jsonb, reason text, hint_ids uuid[], evidence jsonb, availability text
            )
            returning 1
        ), used as (
            update public.hints h set is_used = true
            from run
            where h.vault_id = run.vault_id and h.id = any (\(hints)) and not h.is_used
            returning 1
        )
        select
            (select count(*) from run) as runs, (select count(*) from choice) as choices,
            (select count(*) from vault) as vaults, (select count(*) from milestone) as milestones
        """
    }

    /// A row where the caller's own request has another set.
    var namesake: SQLQuery {
        """
        select o.id from public.recommendation_runs o
        where \(request.kind.rawValue) = 'on_demand' and o.vault_id = \(vault) and o.kind = 'on_demand'
            and o.request = \(request.request) and o.identity <> \(identity.digest)
        limit 1
        """
    }

    /// Lets two writers of one request come one after the other, so that the second sees the first's set.
    static func turn(_ records: [SetRecord]) -> SQLQuery {
        let requests = records.filter { $0.request.kind == .onDemand }.map { "\($0.vault) \($0.request.request)" }
        return """
            select pg_catalog.pg_advisory_xact_lock(k.key) from (
                select distinct pg_catalog.hashtextextended(r.name, 7165074262157316) as key
                from pg_catalog.unnest(\(requests)) as r (name) order by 1
            ) k
            """
    }

    var isScheduled: Bool { request.kind == .scheduled }

    /// What is stored under an identity for its own vault; in a statement of its own, for it sees what others have
    /// committed meanwhile.
    ///
    /// The result is null where this very transaction has just written it.
    static func lookup(_ identity: RunIdentity) -> SQLQuery {
        """
        select r.id, r.vault_id, r.pipeline_name, r.pipeline_hash,
            case
                when r.xmin is distinct from pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.xid then r.result
            end as result
        from public.recommendation_runs r
        where r.identity = \(identity.digest) and r.vault_id = \(PostgresUUID(identity.vault.text))
        """
    }

    /// Ends the job; nil where there is none.
    var completion: SQLQuery? {
        request.job.map { "select api.complete(\($0.id), \($0.token), \(run)) as is_ours" }
    }

    /// A row where the job has ended with this run.
    var completionLook: SQLQuery? {
        request.job.map {
            """
            select 1 from public.recommendation_jobs j
            where j.id = \($0.id) and j.state = 'completed' and j.run_id = \(run)
            """
        }
    }

    /// Ends the job's own notification, and no other's.
    var settlement: SQLQuery? {
        guard let job = request.job, let settlement = job.settlement else { return nil }
        return """
            select api.settle_notification(j.notification_id, \(settlement.status.rawValue)) as is_settled
            from public.recommendation_jobs j
            where j.id = \(job.id) and j.claim_token = \(job.token) and j.notification_id = \(settlement.notification)
            """
    }
}

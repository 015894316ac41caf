import Foundation

/// An account of the queue that shares nothing with the worker: statements that return a row for each thing that is wrong.
enum QueueAudit {
    struct Check {
        let name: String
        let sql: String
    }

    static let checks = [
        Check(
            name: "lost",
            sql: """
                select id, state, last_error_code from public.recommendation_jobs
                where state not in ('completed', 'cancelled', 'dead')
                """
        ),
        Check(
            name: "two sets of one reminder",
            sql: """
                select vault_id, request, count(*) from public.recommendation_runs where kind = 'scheduled'
                group by 1, 2 having count(*) > 1
                """
        ),
        Check(
            name: "torn set",
            sql: """
                select r.id from public.recommendation_runs r
                where r.outcome <> 'short'
                    and (select count(*) from public.recommendations c where c.run_id = r.id) <> 3
                """
        ),
        Check(
            name: "set without its completed job",
            sql: """
                select r.request from public.recommendation_runs r
                where r.kind = 'scheduled' and not exists (
                    select 1 from public.recommendation_jobs j where j.run_id = r.id and j.state = 'completed'
                ) and exists (
                    select 1 from public.recommendation_jobs j
                    where r.request = format('m:%s:%s:%s', j.milestone_id, j.occurrence_date, j.days_before)
                        and j.state = 'completed'
                )
                """
        ),
        Check(
            name: "completed and not told",
            sql: """
                select j.id, n.status from public.recommendation_jobs j
                join public.notification_queue n on n.id = j.notification_id
                where (j.state = 'completed') <> (n.status = 'sent')
                """
        ),
        Check(
            name: "repeated within 30 days",
            sql: """
                select c.vault_id, c.candidate_id, count(*) from public.recommendations c
                where c.created_at > now() - interval '30 days' group by 1, 2 having count(*) > 1
                """
        ),
        Check(
            name: "told before its time",
            sql: """
                select n.id, n.sent_at, n.scheduled_for from public.notification_queue n
                where n.status = 'sent' and n.sent_at < n.scheduled_for
                """
        ),
        Check(
            name: "held for nobody",
            sql: """
                select id, lease_until from public.recommendation_jobs
                where state <> 'running' and lease_until is not null or state = 'running' and lease_until is null
                """
        ),
        Check(
            name: "left open",
            sql: """
                select pid, state, query from pg_catalog.pg_stat_activity
                where datname = current_database() and state like 'idle in transaction%'
                    and state_change < now() - interval '10 s'
                """
        ),
        Check(
            name: "outside the window",
            sql: """
                select n.id, n.sent_at from public.notification_queue n join public.users u on u.id = n.user_id
                where n.status = 'sent' and extract(hour from n.sent_at at time zone u.timezone) not between 10 and 20
                """
        ),
    ]
}

/// A flaw put into the queue on purpose, to see that the tests notice: `make mutants` runs them with each in turn.
enum QueueMutant: String, CaseIterable {
    /// A notice ends jobs that another worker has by now.
    case unfencedFinish = "unfenced_finish"
    /// A set is let in whoever has the job, and whatever the vault was shown meanwhile.
    case openAdmission = "open_admission"
    /// A reminder may have two sets.
    case doubleSets = "double_sets"
    /// A rescue takes jobs whose lease still runs.
    case hastyRescue = "hasty_rescue"

    static var asked: Self? { ProcessInfo.processInfo.environment["KNOT_QUEUE_MUTANT"].flatMap(Self.init) }

    var sql: String {
        switch self {
        case .unfencedFinish:
            Self.edited("api.finish_notices(uuid[], uuid[], uuid[], uuid[])", "asked.token = j.claim_token and ", "")
        case .openAdmission:
            """
            create or replace function knot.admit_set(job uuid, token uuid, run uuid, history text) returns void
                language sql set search_path = pg_catalog, pg_temp as ''
            """
        case .doubleSets: "drop index public.idx_recommendation_runs_reminder"
        case .hastyRescue: Self.edited("api.rescue(integer)", "j.lease_until < knot.clock()", "true")
        }
    }

    /// A function with a part of its text replaced; it is an error where that part is not there.
    private static func edited(_ function: String, _ part: String, _ replacement: String) -> String {
        """
        do $$
        declare
            was text := pg_catalog.pg_get_functiondef('\(function)'::pg_catalog.regprocedure);
            text text := pg_catalog.replace(was, '\(part)', '\(replacement)');
        begin
            if text = was then
                raise exception 'the part is not there';
            end if;
            execute text;
        end
        $$
        """
    }
}

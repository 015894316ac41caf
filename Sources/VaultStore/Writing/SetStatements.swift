import KnotDomain
package import PostgresClient
import Recommendation

/// The statements that store sets; one set is a list of one.
enum SetStatements {
    /// The runs, their choices and the used hints: each set whole, or not at all where its identity is there already, its
    /// vault or a scheduled set's milestone is gone, or its request has another set.
    ///
    /// A set with a mark is stored only while that is its vault's: else another set came between. One row comes back for
    /// each record, in their order.
    static func insertion(of records: [SetRecord], after marks: [String?]) -> SQLQuery {
        let choices = records.flatMap { record in record.choices.map { ChoiceOfRun(run: record.run, choice: $0) } }
        let hints = records.flatMap { record in record.hints.map { (run: record.run, hint: $0) } }
        // Each is looked up by its key, however many rows a plan expects.
        return """
            with asked as (
                select a.*,
                    (select v.id from public.partner_vaults v where v.id = a.vault_id) as vault,
                    (
                        select m.id from public.partner_milestones m
                        where m.id = a.milestone_id and m.vault_id = a.vault_id
                    ) as milestone,
                    -- A caller's own request has one set, whatever it asks for.
                    a.kind = 'on_demand' and exists (
                        select 1 from public.recommendation_runs o
                        where o.vault_id = a.vault_id and o.kind = 'on_demand' and o.request = a.request
                            and o.identity <> a.identity
                    ) as has_namesake,
                    case when m.mark is not null then m.mark <> \(fragment: historyMark("a.vault_id")) else false end
                        as is_overtaken
                from \(fragment: .from(records, SetRecord.columns))
                join pg_catalog.unnest(\(marks)) with ordinality as m (mark, place) using (place)
            ), run as (
                insert into public.recommendation_runs (\(fragment: .names(of: SetRecord.columns)))
                select \(fragment: .values(of: SetRecord.columns)) from asked a
                where a.vault is not null and (a.kind <> 'scheduled' or a.milestone is not null) and not a.has_namesake
                    and not a.is_overtaken
                order by a.place
                on conflict do nothing
                returning id, vault_id, milestone_id
            ), choice as (
                insert into public.recommendations
                    (vault_id, milestone_id, \(fragment: .names(of: ChoiceOfRun.columns)))
                select run.vault_id, run.milestone_id, \(fragment: .values(of: ChoiceOfRun.columns))
                from \(fragment: .from(choices, ChoiceOfRun.columns)) join run on run.id = a.run_id
            ), used as (
                update public.hints h set is_used = true
                from rows from (
                    pg_catalog.unnest(\(hints.map(\.run))), pg_catalog.unnest(\(hints.map(\.hint)))
                ) as u (run_id, hint_id)
                join run on run.id = u.run_id
                where h.id = u.hint_id and h.vault_id = run.vault_id and not h.is_used
            )
            select
                exists (select from run where run.id = a.id) as is_new, a.vault is not null as has_vault,
                a.milestone is not null as has_milestone, a.has_namesake, a.is_overtaken
            from asked a order by a.place
            """
    }

    /// Lets the writers of one vault come one after the other, so that each sees what was stored before it; workers wait
    /// for the same row (`knot.admit_set`), which no role can lock but its person's and those of this program.
    ///
    /// Locks come in one order, and before other rows, so that no two writers wait for each other.
    static func turn(_ records: [SetRecord]) -> SQLQuery {
        """
        select v.id from public.partner_vaults v where v.id = any (\(records.map(\.vault)))
        order by v.id for no key update
        """
    }

    /// Limits a worker's wait for a lock: it has the reminders of other vaults to see to, and comes back to this one.
    static let briefly: SQLQuery = "select pg_catalog.set_config('lock_timeout', '100ms', true)"

    /// A digest of a vault's sets of late: as long as it stays the same, no set was added.
    static func historyMark(_ vault: StaticString) -> SQLQuery {
        """
        (
            select pg_catalog.md5(coalesce(pg_catalog.string_agg(s.id::text, ',' order by s.id), ''))
            from public.recommendation_runs s
            where s.vault_id = \(unescaped: vault) and s.created_at > pg_catalog.now() - interval '31 days'
        )
        """
    }

    /// What is stored under an identity for its own vault; in a statement of its own, for it sees what others have
    /// committed meanwhile.
    static func lookup(_ identity: RunIdentity) -> SQLQuery {
        """
        select \(fragment: StoredSet.selection) from public.recommendation_runs r
        where r.identity = \(identity.digest) and r.vault_id = \(PostgresUUID(identity.vault.text))
        """
    }

    /// The set on demand that a request has in each of some vaults: the first, where there are more.
    static func answers(to request: String, of vaults: [PostgresUUID]) -> SQLQuery {
        """
        select distinct on (r.vault_id) \(fragment: StoredSet.selection), r.outcome, r.occasion_type,
            coalesce(r.milestone_id::text, r.result ->> 'milestone_id') as milestone
        from public.recommendation_runs r
        where r.vault_id = any (\(vaults)) and r.kind = 'on_demand' and r.request = \(request)
        order by r.vault_id, r.created_at, r.id
        """
    }
}

/// The job a scheduled set is made for; it ends in the same transaction, or nothing is stored.
package struct ClaimedJob: Sendable, Hashable {
    package let id: PostgresUUID
    /// Proof that the lease is still ours.
    package let token: PostgresUUID
    /// The notification to end, by whoever really sent it; nil leaves it pending.
    package let settlement: Settlement?

    /// One notification and the state it ends in.
    package struct Settlement: Sendable, Hashable {
        package enum Status: String, Sendable {
            case sent
            case failed
            case cancelled
        }

        package let notification: PostgresUUID
        package let status: Status
    }

    package init(id: PostgresUUID, token: PostgresUUID, settlement: Settlement? = nil) {
        self.id = id
        self.token = token
        self.settlement = settlement
    }
}

extension ClaimedJob {
    /// Ends the job with its run, and its own notification and no other's; the first tells whether the job is still ours.
    func ending(with run: PostgresUUID) -> [SQLQuery] {
        let completion: SQLQuery = "select api.complete(\(id), \(token), \(run)) as is_ours"
        guard let settlement else { return [completion] }
        return [
            completion,
            """
            select api.settle_notification(j.notification_id, \(settlement.status.rawValue)) as is_settled
            from public.recommendation_jobs j
            where j.id = \(id) and j.claim_token = \(token) and j.notification_id = \(settlement.notification)
            """,
        ]
    }

    /// A row where the job has ended with this run.
    func look(for run: PostgresUUID) -> SQLQuery {
        """
        select 1 from public.recommendation_jobs j
        where j.id = \(id) and j.state = 'completed' and j.run_id = \(run)
        """
    }
}

import JSONDocument
import PostgresClient

/// What was sent of a vault that another takes the place of: it is not sent again for the milestones that stay.
///
/// The queue's own jobs go with the old vault. The notifications stand for them, as those do that the app sent by itself. Only
/// what may have been told of in a notice keeps its job: it is told of again under the same name.
struct SettledReminders {
    /// A worker holds a reminder of the vault, and may be telling of it.
    let isHeld: Bool
    /// Puts them back once the milestones are there; those of milestones that went have gone with them.
    let insertions: [SQLQuery]

    static let held = VaultStoreError(.leaseLost, "a worker is telling of a reminder of this vault")

    /// Whoever owns the queue sees which notifications a plan called off, which may be wanted again; a person's rights show
    /// nothing of it.
    private static let look: SQLQuery = """
        select pg_catalog.pg_has_role(c.relowner, 'usage') as owns_queue
        from pg_catalog.pg_class c where c.oid = 'public.recommendation_jobs'::pg_catalog.regclass
        """

    /// Looks as the role that connected, where it may see the queue, and else as the person.
    init(
        of vault: PostgresUUID,
        _ user: PostgresUUID,
        as identity: ActingIdentity,
        in transaction: PostgresTransaction
    ) async throws(PostgresError) {
        let looks = try await transaction.pipeline(identity.ending + [Self.look])
        guard try looks.last?.only().decode("owns_queue", as: Bool.self) == true else {
            let found = try await transaction.pipeline(identity.statements + [Self.sent(vault, user, besides: "false")])
            isHeld = false
            insertions = [
                Self.insertion(try (found.last ?? Rows()).only().decode("rows"), "public.notification_queue", of: vault)
            ]
            return
        }
        let jobs = try await transaction.run(Self.jobs(vault, user)).only()
        isHeld = try jobs.decode("is_held", as: Bool?.self) ?? false
        let told: JSONValue = try jobs.decode("rows")
        let notifications = try await transaction.run(
            Self.sent(
                vault,
                user,
                besides: """
                    n.status = 'cancelled' and not exists (
                        select 1 from public.recommendation_jobs j
                        where j.notification_id = n.id and j.state = 'cancelled'
                            and j.last_error_code is distinct from 'notification_ended'
                    )
                    or n.id in (
                        select k.notification_id
                        from pg_catalog.jsonb_populate_recordset(null::public.recommendation_jobs, \(told)) k
                    )
                    """
            )
        )
        let notices = try await transaction.run(
            """
            select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k)), '[]') as rows
            from public.recommendation_notices k where k.vault_id = \(vault)
            """
        )
        insertions =
            identity.ending
            + [
                """
                insert into public.recommendation_notices
                select k.* from pg_catalog.jsonb_populate_recordset(
                    null::public.recommendation_notices, \(try notices.only().decode("rows", as: JSONValue.self))
                ) k
                """,
                Self.insertion(try notifications.only().decode("rows"), "public.notification_queue", of: vault),
                Self.insertion(told, "public.recommendation_jobs", of: vault),
            ] + identity.statements
        _ = try await transaction.pipeline(identity.statements)
    }

    /// The open jobs that a notice may have told of; no worker takes one of the vault's before this transaction ends.
    private static func jobs(_ vault: PostgresUUID, _ user: PostgresUUID) -> SQLQuery {
        """
        select coalesce(
                pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k)) filter (where k.notice_id is not null), '[]'
            ) as rows, pg_catalog.bool_or(k.state = 'running' and k.lease_until > knot.clock()) as is_held
        from (
            select j.* from public.recommendation_jobs j
            join public.partner_vaults v on v.id = j.vault_id and v.user_id = \(user)
            where j.vault_id = \(vault) and j.state in ('available', 'retryable', 'running')
            order by j.id
            for update of j
        ) k
        """
    }

    private static func sent(_ vault: PostgresUUID, _ user: PostgresUUID, besides others: SQLQuery) -> SQLQuery {
        """
        select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n)), '[]') as rows
        from public.notification_queue n join public.partner_milestones m on m.id = n.milestone_id
        where m.vault_id = \(vault) and n.user_id = \(user)
            and (n.status in ('sent', 'failed') or \(fragment: others))
        """
    }

    private static func insertion(_ rows: JSONValue, _ table: StaticString, of vault: PostgresUUID) -> SQLQuery {
        """
        insert into \(unescaped: table)
        select n.* from pg_catalog.jsonb_populate_recordset(null::\(unescaped: table), \(rows)) n
        join public.partner_milestones m on m.id = n.milestone_id
        where m.vault_id = \(vault)
        """
    }
}

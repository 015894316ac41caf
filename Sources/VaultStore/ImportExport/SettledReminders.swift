import JSONDocument
import PostgresClient

/// What was sent of a vault that another takes the place of: it is not sent again for the milestones that stay.
///
/// The queue's own jobs go with the old vault. The notifications stand for them, as those do that the app sent by itself.
struct SettledReminders {
    private let rows: JSONValue
    private let vault: PostgresUUID

    /// Which of a vault's notifications are settled; whoever acts as a person sees nothing of the queue.
    enum Scope {
        case sent
        /// Also those that the person ended; what a plan called off may be wanted again.
        case sentOrEnded
    }

    static func query(of vault: PostgresUUID, user: PostgresUUID, _ scope: Scope) -> SQLQuery {
        let isEnded: SQLQuery =
            switch scope {
            case .sent: "false"
            case .sentOrEnded:
                """
                n.status = 'cancelled' and not exists (
                    select 1 from public.recommendation_jobs j
                    where j.notification_id = n.id and j.last_error_code is distinct from 'notification_ended'
                )
                """
            }
        return """
            select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n)), '[]') as rows
            from public.notification_queue n join public.partner_milestones m on m.id = n.milestone_id
            where m.vault_id = \(vault) and n.user_id = \(user)
                and (n.status in ('sent', 'failed') or \(fragment: isEnded))
            """
    }

    init(_ found: Rows, of vault: PostgresUUID) throws(PostgresError) {
        rows = try found.only().decode("rows", as: JSONValue.self)
        self.vault = vault
    }

    /// Puts them back once the milestones are there; those of milestones that went have gone with them.
    var insertion: SQLQuery {
        """
        insert into public.notification_queue
        select n.* from pg_catalog.jsonb_populate_recordset(null::public.notification_queue, \(rows)) n
        join public.partner_milestones m on m.id = n.milestone_id
        where m.vault_id = \(vault)
        """
    }
}

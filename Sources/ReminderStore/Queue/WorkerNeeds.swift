import Migrations
package import PostgresClient
import VaultStore

/// What of a database keeps a worker from its work, though the database answers.
package struct WorkerNeeds: Sendable, Hashable {
    /// Why this program cannot work with the schema that is there; nil where it can.
    package let schema: String?
    /// Which rights its login lacks; nil where it has all.
    package let rights: String?

    /// The functions of the queue that a worker calls.
    static let functions = [
        "begin_notices", "call_off", "claim_jobs", "claim_notification", "devices", "fail", "finish_notices",
        "forget_device", "release", "renew", "rescue", "snooze",
    ]
    /// The tables that it reads vaults and reminders from.
    static let tables = [
        "hints", "notification_queue", "partner_budgets", "partner_interests", "partner_love_languages",
        "partner_milestones", "partner_vaults", "partner_vibes", "recommendation_jobs", "recommendation_notices",
        "recommendation_runs", "recommendations", "users",
    ]

    /// Looks at both; nil where the database does not answer.
    package static func look(at pool: ConnectionPool, until deadline: ContinuousClock.Instant) async -> WorkerNeeds? {
        do throws(PostgresError) {
            let verdict = try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
                await refusal(connection, until: deadline)
            }
            if verdict?.code == .unavailable { return nil }
            let mayNotLook = verdict?.code == .notPermitted
            let missing = try await lacking(pool, until: deadline)
            let schema = mayNotLook ? nil : verdict.map { "\($0.what); \($0.todo)" }
            let first = mayNotLook ? ["knot.knot_migrations"] : []
            let all = first + missing
            return WorkerNeeds(
                schema: schema,
                rights: all.isEmpty
                    ? nil
                    : "the login lacks the right to \(all.joined(separator: ", ")); make it a member of knot_worker"
            )
        } catch {
            return nil
        }
    }

    private static func refusal(
        _ connection: PostgresConnection,
        until deadline: ContinuousClock.Instant
    ) async -> MigrationError? {
        do throws(MigrationError) {
            try await SchemaCheck.verify(connection.forMigrations(until: deadline))
            return nil
        } catch {
            return error
        }
    }

    /// Functions and tables that are there and that the login may not use.
    private static func lacking(
        _ pool: ConnectionPool,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [String] {
        let query: SQLQuery = """
            select found.name from (
                select 'api.' || p.proname::text as name
                from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                where n.nspname = 'api' and p.proname::text = any (\(functions)) and not (
                    pg_catalog.has_schema_privilege(n.oid, 'usage')
                    and pg_catalog.has_function_privilege(p.oid, 'execute')
                )
                union
                select 'public.' || c.relname::text
                from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname::text = any (\(tables))
                    and not pg_catalog.has_any_column_privilege(c.oid, 'select')
            ) as found (name)
            order by 1
            """
        return try await pool.read([query], until: deadline)[0].map { row throws(PostgresError) in
            try row.decode("name", as: String.self)
        }
    }
}

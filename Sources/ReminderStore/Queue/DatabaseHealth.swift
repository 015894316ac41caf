import KnotDomain
package import PostgresClient
package import Recommendation

/// What a database is, may and has, as far as operators can mend it: for whoever asks before anything depends on it.
package struct DatabaseHealth: Sendable, Equatable {
    /// Such as 18.4.
    package let version: String
    /// Such as 180004 for 18.4.
    package let versionNumber: Int
    /// pgvector's version, where the extension is there.
    package let vector: String?
    /// The role that the connection acts as.
    package let role: String
    /// What a worker does that this role may not; empty before there is a schema.
    package let missingRights: [String]
    /// What keeps writes from it, or rows from before a rule that break it; in one clause with what to do.
    package let flaw: String?
    /// How far the server's clock, which decides when a reminder is due, is ahead of this machine's.
    package let clockAhead: Duration
    /// How much of that may come from the way there and back.
    package let clockError: Duration

    /// Looks at a database with any schema or none.
    package static func look(
        _ connection: PostgresConnection,
        against wall: any WallClock,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> DatabaseHealth {
        let row = try await connection.run(server, until: deadline).only()
        let there: Bool = try row.decode("has_schema")
        let missing =
            there
            ? try await connection.run(rights, until: deadline).map { row throws(PostgresError) in
                try row.decode("lacks", as: String.self)
            } : []
        let before = Duration.milliseconds(wall.now().millisecondsSinceEpoch)
        let start = ContinuousClock.now
        let answer = try await connection.run(there ? queueClock : serverClock, until: deadline).only()
        let way = ContinuousClock.now - start
        let server = Duration.seconds(try answer.decode("epoch", as: Double.self))
        return DatabaseHealth(
            version: try row.decode("version"),
            versionNumber: Int(try row.decode("number", as: Int32.self)),
            vector: try row.decode("vector", as: String?.self),
            role: try row.decode("role"),
            missingRights: missing,
            flaw: try row.decode("flaw"),
            clockAhead: server - (before + way / 2),
            clockError: way / 2
        )
    }

    private static let server: SQLQuery = """
        select pg_catalog.current_setting('server_version') as version,
            pg_catalog.current_setting('server_version_num')::int as number,
            (select x.extversion from pg_catalog.pg_extension x where x.extname = 'vector') as vector,
            current_user::text as role,
            case when pg_catalog.current_setting('transaction_read_only')::bool
                then 'it takes no writes: connect to the primary server, or end its read-only mode'
                else (
                    select pg_catalog.format('rows of %s break the rule %I: knot-recommend migrate --status says more',
                        r.conrelid::pg_catalog.regclass, r.conname)
                    from pg_catalog.pg_constraint r
                    where not r.convalidated and r.connamespace = pg_catalog.to_regnamespace('public')
                    order by r.conname limit 1
                )
            end as flaw,
            pg_catalog.to_regrole('knot_worker') is not null and exists (
                select 1 from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                where n.nspname = 'api' and p.proname = 'claim_jobs'
            ) as has_schema
        """

    /// What the role of workers was given and the present one was not.
    private static let rights: SQLQuery = """
        select f.lacks from (
            select 'the schema ' || n.nspname as lacks from pg_catalog.pg_namespace n
            where n.nspname in ('api', 'knot', 'public') and pg_catalog.has_schema_privilege('knot_worker', n.oid, 'usage')
                and not pg_catalog.has_schema_privilege(n.oid, 'usage')
            union all
            select 'execute ' || n.nspname || '.' || p.proname
            from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
            where n.nspname in ('api', 'knot') and pg_catalog.has_function_privilege('knot_worker', p.oid, 'execute')
                and not pg_catalog.has_function_privilege(p.oid, 'execute')
            union all
            select k.kind || ' ' || c.relname
            from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            cross join pg_catalog.unnest(array['select', 'insert', 'update']) as k (kind)
            where n.nspname = 'public' and c.relkind = 'r'
                and pg_catalog.has_any_column_privilege('knot_worker', c.oid, k.kind)
                and not pg_catalog.has_any_column_privilege(c.oid, k.kind)
        ) f order by f.lacks
        """

    private static let queueClock: SQLQuery = """
        select (extract(epoch from knot.clock()) + extract(epoch from pg_catalog.clock_timestamp() - now()))::float8 as epoch
        """

    private static let serverClock: SQLQuery = """
        select extract(epoch from pg_catalog.clock_timestamp())::float8 as epoch
        """
}

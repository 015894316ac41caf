/// The statements by which migrations look at a database and change it.
struct MigrationDatabase<Session: MigrationSession>: Sendable {
    let session: Session

    /// Any number that no other program's advisory locks are likely to use; one for all versions of this one.
    private static var lock: String { "7165074262157316" }

    /// Throws unless the server is PostgreSQL 16 with pgvector 0.7, or later ones.
    func checkServer() async throws(MigrationError) {
        let found = try await rows(
            """
            select current_setting('server_version_num'), current_setting('server_version'),
                (select coalesce(x.extversion, e.default_version)
                from pg_catalog.pg_available_extensions e
                left join pg_catalog.pg_extension x on x.extname = e.name
                where e.name = 'vector')
            """,
            doing: "looking at the server"
        )
        guard let row = found.first, row.count == 3, let number = row[0].flatMap({ Int($0) }) else {
            throw MigrationError(
                .failed,
                what: "the server does not say its version",
                todo: "use PostgreSQL 16 or later"
            )
        }
        try ServerRequirements(versionNumber: number, version: row[1] ?? "?", vector: row[2]).check()
    }

    /// Empty where there is none; throws only for what cannot be read.
    func history() async throws(MigrationError) -> MigrationHistory {
        let doing = "reading knot.knot_migrations"
        // A schema that may not be used hides its tables from to_regclass without saying so; the catalogue does not.
        let there = try await rows(
            """
            select 1 from pg_catalog.pg_class c
            where c.relname = 'knot_migrations'
                and c.relnamespace = (select n.oid from pg_catalog.pg_namespace n where n.nspname = 'knot')
            """,
            doing: doing
        )
        if there.isEmpty { return MigrationHistory(applied: []) }
        let found = try await rows(
            """
            select m.number::text, m.name, m.checksum, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                m.is_adopted::text, pg_catalog.to_jsonb(m) ->> 'works_from'
            from knot.knot_migrations m order by m.number
            """,
            doing: doing
        )
        return MigrationHistory(
            applied: found.compactMap { row in
                guard row.count == 6, let number = row[0].flatMap({ Int($0) }), let name = row[1],
                    let checksum = row[2], let moment = row[3]
                else { return nil }
                return AppliedMigration(
                    number: number,
                    name: name,
                    checksum: checksum,
                    appliedAt: moment,
                    isAdopted: row[4] == "true",
                    // A history that is older than the column says nothing.
                    worksFrom: row[5].flatMap { Int($0) } ?? number
                )
            }
        )
    }

    /// What the catalogue says of tables, of functions and of what roles may do with them; nothing is changed.
    func catalogue(
        _ tables: [String] = ProductionSchema.tables,
        _ functions: [String] = ProductionSchema.functions,
        _ roles: [String] = ProductionSchema.roles,
        _ schemas: [String] = []
    ) async throws(MigrationError) -> [CatalogueEntry] {
        let doing = "looking at the tables"
        try await run("begin", doing: doing)
        let found: [[String?]]
        do throws(MigrationError) {
            try await run(CatalogueLook.settings, doing: doing)
            _ = try await rows(CatalogueLook.path, doing: doing)
            let names = [tables, functions, roles, schemas].map { $0.joined(separator: ",") }
            found = try await rows(CatalogueLook.statement, names, doing: doing)
            try await run("rollback", doing: doing)
        } catch {
            // The first failure is the one to tell; a session that cannot roll back is lost anyway.
            do throws(MigrationError) { try await run("rollback", doing: doing) } catch {}
            throw error
        }
        return found.compactMap { CatalogueEntry($0) }
    }

    /// Whether the server has nothing of what Supabase provides.
    func needsBootstrap() async throws(MigrationError) -> Bool {
        try await rows(
            """
            select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = 'auth' and c.relname = 'users'
            """,
            doing: "looking for auth.users"
        ).isEmpty
    }

    /// Does one step in one transaction, again after a deadlock; false when another migrator was faster.
    ///
    /// Workers go on while a step takes its locks, and the server may end either of them.
    func carryOut(
        _ step: MigrationPlan.Step,
        known: [Migration],
        bootstrap: Migration,
        by engineVersion: String
    ) async throws(MigrationError) -> Bool {
        for attempt in 1...Self.attempts {
            do throws(MigrationError) {
                return try await carryOutOnce(step, known: known, bootstrap: bootstrap, by: engineVersion)
            } catch {
                guard attempt < Self.attempts, ["40P01", "40001"].contains(error.sqlState) else { throw error }
            }
            // A cancelled sleep ends in the next attempt.
            do { try await ContinuousClock().sleep(for: .milliseconds(100 * attempt)) } catch {}
        }
        return false
    }

    private static var attempts: Int { 5 }

    private func carryOutOnce(
        _ step: MigrationPlan.Step,
        known: [Migration],
        bootstrap: Migration,
        by engineVersion: String
    ) async throws(MigrationError) -> Bool {
        let doing = "applying \(step.migration.fileName)"
        try await run("begin", doing: doing)
        let isDone: Bool
        do throws(MigrationError) {
            isDone = try await carryOutInside(step, known: known, bootstrap: bootstrap, by: engineVersion)
            try await run("commit", doing: doing)
        } catch {
            // The first failure is the one to tell; a session that cannot roll back is lost, and its work with it.
            do throws(MigrationError) { try await run("rollback", doing: doing) } catch {}
            throw error
        }
        // A commit that the server turned into a rollback answers without an error.
        guard isDone else { return false }
        guard try await history().numbers.contains(step.migration.number) else {
            throw MigrationError(.failed, what: "\(doing): the server did not commit it", todo: "try again")
        }
        return true
    }

    private func carryOutInside(
        _ step: MigrationPlan.Step,
        known: [Migration],
        bootstrap: Migration,
        by engineVersion: String
    ) async throws(MigrationError) -> Bool {
        let migration = step.migration
        let doing = "applying \(migration.fileName)"
        try await run(Self.limits, doing: doing)
        _ = try await rows("select pg_catalog.pg_advisory_xact_lock(\(Self.lock))::text", doing: doing)
        try await run(Self.preparation, doing: "preparing the history of migrations")
        let history = try await history()
        try history.check(against: known, bootstrap: bootstrap)
        if history.numbers.contains(migration.number) { return false }
        if case .apply = step { try await run(migration.sql, doing: doing) }
        _ = try await rows(
            """
            insert into knot.knot_migrations (number, name, checksum, engine_version, is_adopted, works_from)
            values ($1::integer, $2, $3, $4, $5::boolean, $6::integer)
            """,
            [
                String(migration.number), migration.name, migration.checksum, engineVersion,
                step == .adopt(migration) ? "true" : "false", String(migration.worksFrom),
            ],
            doing: doing
        )
        return true
    }

    /// Nobody is waited for without an end, the lock of another migrator included, and nobody waits so for us.
    private static var limits: String {
        """
        set local lock_timeout = '30s';
        set local idle_in_transaction_session_timeout = '60s';
        """
    }

    /// The history's own table, and names found in public and wherever pgvector was put, for this transaction.
    private static var preparation: String {
        """
        set local client_min_messages = warning;
        set local search_path = '';
        create schema if not exists knot;
        create table if not exists knot.knot_migrations (
            number integer primary key,
            name text not null,
            checksum text not null,
            engine_version text not null,
            is_adopted boolean not null default false,
            applied_at timestamptz not null default now()
        );
        alter table knot.knot_migrations add column if not exists works_from integer;
        select pg_catalog.set_config(
            'search_path',
            'public'
                || coalesce(
                    (
                        select ', ' || pg_catalog.quote_ident(n.nspname)
                        from pg_catalog.pg_extension x join pg_catalog.pg_namespace n on n.oid = x.extnamespace
                        where x.extname = 'vector' and n.nspname <> 'public'
                    ),
                    ''
                )
                || ', pg_temp',
            true
        );
        """
    }

    private func run(_ script: String, doing: String) async throws(MigrationError) {
        do throws(MigrationSessionError) {
            try await session.run(script: script)
        } catch {
            throw MigrationError(error, while: doing)
        }
    }

    func rows(
        _ statement: String,
        _ values: [String?] = [],
        doing: String
    ) async throws(MigrationError) -> [[String?]] {
        do throws(MigrationSessionError) {
            return try await session.rows(statement, values)
        } catch {
            throw MigrationError(error, while: doing)
        }
    }
}

extension MigrationDatabase {
    /// Throws where pgvector is missing and the role may not create it: no later step could be done.
    private func checkExtension() async throws(MigrationError) {
        let found = try await rows(
            """
            select 1 from pg_catalog.pg_roles r
            where r.rolname = current_user and (
                r.rolsuper
                or exists (select 1 from pg_catalog.pg_extension x where x.extname = 'vector')
                or exists (
                    select 1 from pg_catalog.pg_available_extension_versions v where v.name = 'vector' and v.trusted)
            )
            """,
            doing: "looking for pgvector"
        )
        guard found.isEmpty else { return }
        throw MigrationError(
            .notPermitted,
            what: "the database has no extension \"vector\", and this role may not create it",
            todo: "have a superuser run in this database: create extension vector"
        )
    }

    /// The roles that each step makes where they are missing, and those whose membership it hands on.
    private static var makes: [(step: Int, roles: [String])] {
        [(0, ["anon", "authenticated", "service_role"]), (22, ["knot_worker", "knot_person", "knot_queue"])]
    }

    /// Throws where a step would fail for want of rights on roles, before the first step is done.
    ///
    /// Roles belong to the whole server: another owner's migration, or a provider, may have made them.
    func checkRoles(for steps: [MigrationPlan.Step]) async throws(MigrationError) {
        let numbers = Set(steps.map(\.migration.number))
        if steps.contains(where: { $0.migration.number == 1 && $0 == .apply($0.migration) }) {
            try await checkExtension()
        }
        guard let highest = numbers.max(), highest >= 22 || numbers.contains(0) else { return }
        let doing = "looking at the server's roles"
        let found = try await rows(
            """
            select r.rolname,
                pg_catalog.pg_has_role(current_user, r.oid, 'member with admin option')::text,
                (pg_catalog.pg_has_role(current_user, r.oid, 'set')
                    and pg_catalog.pg_has_role(current_user, r.oid, 'usage'))::text
            from pg_catalog.pg_roles r where r.rolname = any ($1::text[])
            """,
            ["{" + Self.makes.flatMap(\.roles).joined(separator: ",") + "}"],
            doing: doing
        )
        let me = try await rows(
            "select current_user, (r.rolcreaterole or r.rolsuper)::text from pg_catalog.pg_roles r where r.rolname = current_user",
            doing: doing
        )
        let name = (me.first?.first ?? nil) ?? "the owner"
        let there = Set(found.compactMap { $0.first ?? nil })
        let missing = Self.makes.filter { numbers.contains($0.step) }.flatMap(\.roles).filter { !there.contains($0) }
        if !missing.isEmpty, me.first?[1] != "true" {
            throw MigrationError(
                .notPermitted,
                what: "the server has no role \(missing.joined(separator: ", ")), and \(name) may not make any",
                todo: "have a superuser run: alter role \(name) createrole"
            )
        }
        // The queue's functions are handed over to their role, by steps from its making on.
        for row in found where row[0] == "knot_queue" && row[1] != "true" && row[2] != "true" && highest > 22 {
            throw MigrationError(
                .notPermitted,
                what: "the role knot_queue was made by somebody else, and \(name) may not act for it",
                todo: "have a superuser run: grant knot_queue to \(name) with admin option"
            )
        }
    }
}

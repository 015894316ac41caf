import EmbeddedFiles

extension MigrationDatabase {
    /// Tables and functions that commands cannot do without, as `public.hints` and `api.fail()`.
    ///
    /// The history does not tell what somebody has dropped of what migrations have made.
    static var needed: [String] {
        EmbeddedFile.text(named: "needed_objects.txt").split(separator: "\n").map(String.init)
    }

    /// Throws where one of them is not there any more.
    func checkObjects() async throws(MigrationError) {
        let missing = try await rows(
            """
            select n.name from pg_catalog.unnest($1::text[]) as n (name)
            except
            select s.nspname || '.' || o.name
            from pg_catalog.pg_namespace s
            join (
                select c.relnamespace as schema, c.relname::text as name from pg_catalog.pg_class c
                union all
                select p.pronamespace, p.proname || '()' from pg_catalog.pg_proc p
            ) o on o.schema = s.oid
            where s.nspname in ('public', 'api', 'knot')
            order by 1
            """,
            ["{\(Self.needed.joined(separator: ","))}"],
            doing: "looking for what migrations have made"
        ).compactMap { $0.first ?? nil }
        guard let first = missing.first else { return }
        throw MigrationError(
            .foreignSchema,
            what: "the database lacks \(first)" + (missing.count == 1 ? "" : " and \(missing.count - 1) more")
                + ", which its migrations have made",
            todo: "restore what was dropped from a backup, such as by pg_restore --schema-only"
        )
    }

    /// What the catalogue says of all that migrations have made.
    func parts() async throws(MigrationError) -> [CatalogueEntry] {
        let names = Self.needed.map { $0.split(separator: ".").last.map(String.init) ?? "" }
        return try await catalogue(
            names.filter { !$0.hasSuffix("()") },
            names.filter { $0.hasSuffix("()") }.map { String($0.dropLast(2)) } + ProductionSchema.functions,
            ProductionSchema.roles + ["knot_worker", "knot_person", "knot_queue"],
            ["public", "api", "knot"]
        )
    }

    /// Throws where a trigger, a rule, a policy or a right that migrations have made is gone or another: nothing fails
    /// without it, and nothing is right.
    func checkParts() async throws(MigrationError) {
        let losses = ProductionSchema.whole.losses(from: try await parts(), actsForQueue: try await actsForQueue())
        guard !losses.isEmpty else { return }
        let count = losses.count == 1 ? "one thing is" : "\(losses.count) things are"
        throw MigrationError(
            .foreignSchema,
            what: "the database has all migrations, and \(count) not as they made it, such as the \(losses[0].place)",
            todo: "run the statements that mend it, which migrate --status names",
            differences: losses
        )
    }

    /// Whether this role may change what belongs to the queue's.
    private func actsForQueue() async throws(MigrationError) -> Bool {
        try await rows(
            """
            select 1 from pg_catalog.pg_roles r where r.rolname = '\(CatalogueEntry.queueRole)'
                and pg_catalog.pg_has_role(current_user, r.oid, 'usage')
                and pg_catalog.pg_has_role(current_user, r.oid, 'set')
            """,
            doing: "looking at the queue's role"
        ).count == 1
    }

    /// One sentence for each rule that rows from before it break.
    func brokenRules() async throws(MigrationError) -> [String] {
        try await rows(
            """
            select pg_catalog.format(
                '%I.%I has rows that break the rule %I: repair them, then: alter table %I.%I validate constraint %I',
                s.nspname, c.relname, r.conname, s.nspname, c.relname, r.conname
            )
            from pg_catalog.pg_constraint r
            join pg_catalog.pg_class c on c.oid = r.conrelid
            join pg_catalog.pg_namespace s on s.oid = c.relnamespace
            where s.nspname = 'public' and not r.convalidated
            order by 1
            """,
            doing: "looking for rules that rows break"
        ).compactMap { $0.first ?? nil }
    }
}

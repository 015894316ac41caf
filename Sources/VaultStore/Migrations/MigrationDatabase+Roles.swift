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

import TestSupport
import Testing

@testable import VaultStore

@Suite("Flaws put in on purpose", .tags(.database)) struct SchemaMutantTests {
    @Test(arguments: SchemaMutant.allCases)
    func `change the schema`(mutant: SchemaMutant) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            // One that is in already says so itself, so that no run of `make mutants` tests an unchanged schema.
            guard SchemaMutant.asked == nil else { return }
            let before = try await Self.picture(database)
            try await database.run(mutant.sql)
            #expect(try await Self.picture(database) != before)
        }
    }

    /// Policies, functions, constraints, triggers and rights as text.
    private static func picture(_ database: TestDatabase) async throws -> [[String?]] {
        try await database.run(
            """
            select concat_ws(' ', tablename, policyname, qual, with_check) from pg_policies
            union all select concat_ws(' ', p.oid::regprocedure, p.proacl, pg_get_functiondef(p.oid)) from pg_proc p
            where p.pronamespace in ('api'::regnamespace, 'public'::regnamespace) and p.prokind = 'f'
                and p.probin is null
            union all select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
            union all select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger
            union all select concat_ws(' ', attrelid::regclass, attname, attacl) from pg_attribute
            where attrelid = 'public.users'::regclass
            order by 1
            """
        )
    }
}

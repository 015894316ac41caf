import TestSupport
import Testing

@testable import VaultStore

/// Who may call the queue's functions.
@Suite(.tags(.database)) struct QueueRightsTests {
    private static let calls = [
        "api.claim_jobs(gen_random_uuid())", "api.renew(array[gen_random_uuid()], array[gen_random_uuid()])",
        "api.complete(gen_random_uuid(), gen_random_uuid())",
        "api.fail(gen_random_uuid(), gen_random_uuid(), 'stage', 'x')",
        "api.snooze(gen_random_uuid(), gen_random_uuid(), now())", "api.release(gen_random_uuid())", "api.rescue()",
        "api.cancel(gen_random_uuid())", "api.replay(gen_random_uuid())",
        "api.settle_notification(gen_random_uuid(), 'sent')",
        "api.enqueue(array[gen_random_uuid()], array[date '2026-01-01'], array[7], array[now()])",
        "api.claim_notification(gen_random_uuid(), gen_random_uuid())",
        "api.begin_notice(gen_random_uuid(), array[gen_random_uuid()], array[gen_random_uuid()])",
        "api.finish_notice(gen_random_uuid(), array[gen_random_uuid()], array[gen_random_uuid()], array[gen_random_uuid()])",
        "api.begin_notices(array[gen_random_uuid()], array[gen_random_uuid()], array[gen_random_uuid()])",
        "api.begin_notices(array[gen_random_uuid()], array[gen_random_uuid()], array[gen_random_uuid()], "
            + "array[gen_random_uuid()], array['{}'])",
        "api.finish_notices(array[gen_random_uuid()], array[gen_random_uuid()], array[gen_random_uuid()], array[gen_random_uuid()])",
        "api.call_off(gen_random_uuid(), gen_random_uuid(), 'x')",
        "api.devices(array[gen_random_uuid()], array[gen_random_uuid()])",
        "api.forget_device(gen_random_uuid(), gen_random_uuid(), 'x')",
    ]

    /// What triggers do for a person's role that may not do it itself.
    private static let triggers = [
        "knot.forget_import_file", "knot.forget_import_file_of_vault", "knot.forget_import_files",
        "knot.forget_readings",
        "knot.forget_readings_of_vaults",
    ]

    @Test(arguments: ["anon", "authenticated", "knot_person"])
    func `a person's role is refused by every function`(role: String) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            // Without the schema's own right in the way, so that each function's right is what refuses.
            try await session.run(script: "grant usage on schema api to anon, authenticated, knot_person")
            for call in Self.calls {
                try await session.run(script: "begin; set local role \(role)")
                #expect(session.refusal(of: "select * from \(call)")?.state == "42501", "\(call)")
                try await session.run(script: "rollback")
            }
            let open = try await session.column(
                """
                select p.oid::regprocedure::text from pg_proc p
                where p.pronamespace = 'api'::regnamespace and has_function_privilege('\(role)', p.oid, 'execute')
                """
            )
            #expect(open == [])
        }
    }

    @Test func `the schema itself is closed to persons`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            for role in ["anon", "authenticated", "knot_person"] {
                #expect(try await session.value("select has_schema_privilege('\(role)', 'api', 'usage')") == "f")
            }
        }
    }

    @Test func `every function that runs as its owner owns nothing`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            let found = try await session.rows(
                """
                select p.proname, p.proowner::regrole::text
                from pg_proc p
                where p.prosecdef and p.pronamespace in ('api'::regnamespace, 'public'::regnamespace, 'knot'::regnamespace)
                """
            )
            #expect(found.filter { $0[1] != "knot_queue" }.map { $0[0] } == ["handle_new_user"])
            #expect(found.count == Self.calls.count + Self.triggers.count + 1)
        }
    }

    @Test func `the worker may call each of them`() async throws {
        try await SchemaDatabase.with { database in
            let worker = try database.connect(as: "knot_worker")
            for call in Self.calls { #expect(worker.refusal(of: "select * from \(call)") == nil, "\(call)") }
        }
    }
}

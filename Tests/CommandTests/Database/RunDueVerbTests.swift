import Composition
import Console
import Foundation
import JSONDocument
import LoopbackServer
import TestSupport
import Testing

/// `run-due`: one reminder, as an outside scheduler wants it.
@Suite(.tags(.database)) struct RunDueVerbTests: DueReminderTests {
    @Test func `an outside scheduler has one reminder done, once`() async throws {
        try await withDueReminder { knot, database, outbox in
            let notification = try await job(database, "notification_id")
            let deliver = "--deliver outbox:\"$OUTBOX\""
            let run = "\"$KNOT\" run-due --notification \(notification) \(deliver)"
            let nobody = "\"$KNOT\" run-due --notification 00000000-0000-4000-8000-0000000000ff \(deliver)"
            #expect(try await knot(nobody).code == ExitCode.notFound.rawValue)
            #expect(try await knot("\"$KNOT\" run-due \(deliver)").code == ExitCode.usage.rawValue)
            // Somebody else's: it may come back.
            try await database.run("select api.claim_notification(gen_random_uuid(), '\(notification)')")
            let held = try await knot(run)
            #expect(held.code == ExitCode.tryAgain.rawValue && held.errors.contains("another worker"), "\(held.errors)")
            try await database.run(
                "select api.release(claimed_by) from public.recommendation_jobs where state = 'running'"
            )
            let done = try await knot(run)
            #expect(done.code == 0 && done.output.contains("completed"), "\(done.errors)")
            #expect(try files(outbox) == ["\(notification).json"])
            #expect(try await knot(run).code == ExitCode.notFound.rawValue)
        }
    }

    @Test func `nobody is told by a clock that this machine does not know, and of one unknown zone the log says so`()
        async throws
    {
        try await withDueReminder { knot, database, outbox in
            let deliver = "--deliver outbox:\"$OUTBOX\""
            let run = "run-due --notification \(try await job(database, "notification_id")) \(deliver)"
            for verb in [run, "work --drain \(deliver)", "plan --all"] {
                let refused = try await knot("TZDIR=/nonexistent \"$KNOT\" \(verb)")
                #expect(refused.code == ExitCode.configuration.rawValue, "\(verb): \(refused)")
                #expect(refused.errors.contains("install tzdata"), "\(refused.errors)")
            }
            #expect(try files(outbox) == [])
            try await database.run(
                """
                update public.users set timezone = 'Europe/Nowhere';
                update public.recommendation_jobs set run_at = now() - interval '1 minute'
                """
            )
            let plan = try await knot("\"$KNOT\" plan --vault \(first) --dry-run --json --quiet")
            #expect(plan.output.contains("does not know the time zone \\\"Europe/Nowhere\\\""), "\(plan)")
            let rehearsal = try await knot("\"$KNOT\" rehearse --vault \(first) --json --quiet")
            #expect(rehearsal.output.contains("\"notes\""), "\(rehearsal)")
            let told = try await knot("\"$KNOT\" \(run)")
            #expect(told.errors.contains("zone_unknown") && told.errors.contains("Europe/Nowhere"), "\(told)")
        }
    }

    @Test func `of reminders that are told of together a scheduler hears each time that they are done`() async throws {
        try await withDueReminder { knot, database, outbox in
            try await database.run(
                """
                insert into public.partner_milestones
                    (vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier)
                values ('\(first)', 'custom', 'Name day', '2000-05-16', 'yearly', 'minor_occasion')
                """
            )
            #expect(try await knot("\"$KNOT\" plan --vault \(first) --as-of 2026-05-08T10:00:00Z").code == 0)
            let rows = try await database.run(
                """
                select notification_id from public.recommendation_jobs
                where occurrence_date = '2026-05-16' and days_before = 7 order by notification_id
                """
            )
            #expect(rows.count == 2)
            for row in rows {
                let call = "run-due --notification \(row[0] ?? "") --deliver outbox:\"$OUTBOX\" --json"
                let outcome = try await knot("\"$KNOT\" \(call)")
                #expect(outcome.code == 0 && outcome.output.contains("\"completed\""), "\(outcome)")
            }
            #expect(try files(outbox).count == 1)
        }
    }

    @Test func `a scheduler's call that is stopped gives its job back, and that is no crash`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply([.hang]) }
        defer { server.stop() }
        try await withDueReminder { knot, database, outbox in
            let notification = try await job(database, "notification_id")
            let script = """
                true
                export KNOT_WEBHOOK_URL=http://127.0.0.1:\(server.port)/ KNOT_WEBHOOK_PRIVATE=allowed
                export KNOT_WEBHOOK_KEY=0123456789abcdef0123456789abcdef
                "$KNOT" run-due --notification \(notification) --deliver webhook 2>"$OUTBOX/.log" & pid=$!
                for turn in $(seq 12000); do [ -e "$OUTBOX/.called" ] && break; sleep 0.1; done
                kill -TERM $pid; wait $pid; echo "code $?"; cat "$OUTBOX/.log" >&2
                """
            async let outcome = knot(script)
            #expect(await server.hasSeen(requests: 1))
            try Data().write(to: outbox.appendingPathComponent(".called"))
            let ending = try await outcome
            #expect(ending.output.contains("code 143"), "\(ending.output) \(ending.errors)")
            #expect(try await job(database, "state") == "retryable")
            #expect(try await job(database, "last_error_code") == "worker_stopped")
            #expect(try await job(database, "crash_count") == "0")
        }
    }

    @Test func `a vault is forgotten when the notice that is on its way has come, and that goes with it`() async throws
    {
        try await withDueReminder { _, database, outbox in
            let notification = try await job(database, "notification_id")
            try await database.run("select api.claim_notification(gen_random_uuid(), '\(notification)')")
            try await database.run(
                "update public.recommendation_jobs set notice_id = notification_id where state = 'running'"
            )
            async let outcome = DatabaseCommand.run(
                "\"$KNOT\" forget --vault \(first) --yes",
                on: database.url,
                environment: ["KNOT_OUTBOX": outbox.path]
            )
            let asks =
                "select 1 from pg_stat_activity where datname = current_database() and application_name = 'knot-recommend'"
            var turns = 0
            while turns < 5_000, try await database.run(asks).isEmpty { turns += 1 }
            for _ in 0..<20 {
                #expect(try await database.run("select 1 from partner_vaults where id = '\(first)'").count == 1)
            }
            // The worker's notice comes, and its job ends.
            try Data("{\"vault_id\":\"\(first)\"}".utf8).write(to: outbox.appendingPathComponent("n.json"))
            try await database.run(
                "select api.release(claimed_by) from public.recommendation_jobs where state = 'running'"
            )
            let ending = try await outcome
            #expect(ending.code == 0 && ending.output.contains("n.json"), "\(ending)")
            #expect(try files(outbox).isEmpty)
        }
    }

    @Test func `at night an outside scheduler is told to come again`() async throws {
        try await withDueReminder(at: "2026-05-09 22:30Z") { knot, database, outbox in
            let notification = try await job(database, "notification_id")
            let run = "\"$KNOT\" run-due --notification \(notification) --deliver outbox:\"$OUTBOX\" --json"
            let outcome = try await knot(run)
            #expect(outcome.code == ExitCode.tryAgain.rawValue, "\(outcome.errors)")
            let ending = try JSONParser.parse(Array(outcome.output.utf8))
            #expect(ending["outcome"]?.string == "snoozed" && ending["code"]?.string == "wrong_hour")
            #expect(try files(outbox).isEmpty)
            #expect(try await job(database, "attempt") == "0")
        }
    }

    @Test func `who is asked for before the window opens waits for a minute of their own`() async throws {
        try await withDueReminder(at: "2026-05-09 06:30Z") { knot, database, outbox in
            let notification = try await job(database, "notification_id")
            let planned = try await job(database, "run_at")
            let run = "\"$KNOT\" run-due --notification \(notification) --deliver outbox:\"$OUTBOX\" --json"
            #expect(try await knot(run).code == ExitCode.tryAgain.rawValue)
            #expect(try await job(database, "run_at") == planned)
            #expect(try files(outbox).isEmpty)
        }
    }
}

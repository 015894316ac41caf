import Composition
import Console
import Foundation
import JSONDocument
import LoopbackServer
import TestSupport
import Testing

/// `work` and `jobs`: reminders that `plan` has put into the queue, made, sent and looked after.
@Suite(.tags(.database)) struct WorkVerbTests: DueReminderTests {
    private let work = "\"$KNOT\" work --drain --deliver outbox:\"$OUTBOX\""

    @Test func `without a way to deliver says how to configure one, and claims nothing`() async throws {
        try await withDueReminder { knot, database, _ in
            for verb in ["work", "work --drain", "work --deliver pigeon", "work --deliver outbox"] {
                let outcome = try await knot("\"$KNOT\" \(verb)")
                #expect(outcome.code == ExitCode.configuration.rawValue, "\(verb): \(outcome.errors)")
                #expect(outcome.errors.contains("KNOT_"), "\(verb)")
            }
            #expect(try await knot("\"$KNOT\" work --deliver webhook:x").code == ExitCode.usage.rawValue)
            #expect(try await job(database, "state") == "available")
        }
    }

    @Test func `what plan has planned work makes and sends once, and tells of it without a private word`() async throws
    {
        try await withDueReminder { knot, database, outbox in
            let done = try await knot("\(work) --json")
            #expect(done.code == 0, "\(done.errors)")
            let summary = try JSONParser.parse(Array(done.output.utf8))
            #expect(summary["schema"]?.string == "knot.work/1")
            #expect(summary["outcomes"]?["completed"]?.int == 1)
            let file = try #require(try files(outbox).first)
            #expect(file == "\(try await job(database, "notification_id")).json")
            let notice = try JSONParser.parse([UInt8](Data(contentsOf: outbox.appendingPathComponent(file))))
            #expect(notice["choices"]?.array?.count == 3)
            #expect(notice["occasions"]?.array?.first?["run_id"]?.string == (try await job(database, "run_id")))
            let lines = try done.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
                .map { try JSONParser.parse(Array($0.utf8)) }
            let ended = try #require(lines.first { $0["event"]?.string == "job_completed" })
            #expect(ended["job_id"]?.string == (try await job(database, "id")))
            #expect(ended["trace_id"]?.string?.count == 32)
            let names = try await database.run(
                "select partner_name from public.partner_vaults union select milestone_name from public.partner_milestones"
            )
            for name in names.compactMap({ $0[0] }) { #expect(!done.errors.contains(name), "\(name)") }
            #expect(!done.errors.contains(try await job(database, "claim_token")))

            let again = try await knot(work)
            #expect(again.code == 0 && again.output.contains("nothing was due"))
            #expect(try files(outbox).count == 1)
        }
    }

    /// Two days of a vault that come on one day, for each of which a scheduler calls at its moment.
    @Test func `a milestone whose name is blank is told of by plan, with its place, and plans nothing`() async throws {
        try await withDueReminder { knot, database, _ in
            try await database.run(
                """
                alter table public.partner_milestones disable trigger user;
                update public.partner_milestones set milestone_name = '  ' where vault_id = '\(first)'
                """
            )
            for plan in ["plan --all", "plan --vault \(first)"] {
                let outcome = try await knot("\"$KNOT\" \(plan) --as-of 2026-05-08T10:00:00Z")
                #expect(outcome.code == ExitCode.badInput.rawValue, "\(outcome.output) \(outcome.errors)")
                #expect(
                    outcome.errors.contains(first) && outcome.errors.contains("milestone_name"),
                    "\(outcome.errors)"
                )
            }
        }
    }

    @Test func `jobs are listed, shown, counted, tried again and called off`() async throws {
        try await withDueReminder { knot, database, _ in
            let id = try await job(database, "id")
            let list = try JSONParser.parse(Array(try await knot("\"$KNOT\" jobs list --json").output.utf8))
            #expect(list["jobs"]?.array?.contains { $0["job_id"]?.string == id } == true)
            let show = try await knot("\"$KNOT\" jobs show --job \(id)")
            #expect(show.code == 0 && show.output.contains("available") && show.output.contains("2026-05-16"))
            #expect(try await knot("\"$KNOT\" jobs retry --job \(id)").code == ExitCode.badInput.rawValue)
            func putAside() async throws {
                try await database.run(
                    """
                    select api.fail(j.id, j.claim_token, 'data', 'bad_vault', 'mend it', true)
                    from public.recommendation_jobs j where j.state = 'running'
                    """
                )
            }
            try await database.run("select api.claim_jobs('\(id)')")
            let held = try JSONParser.parse(Array(try await knot("\"$KNOT\" jobs show --json --job \(id)").output.utf8))
            #expect(held["job"]?["worker"]?.string == id && held["job"]?["lease_until"]?.string != nil)
            try await putAside()
            let last = try await knot("\"$KNOT\" jobs show --job \(id)")
            #expect(last.output.contains("last held by worker \(id)"))
            let stats = try JSONParser.parse(Array(try await knot("\"$KNOT\" jobs stats --json").output.utf8))
            #expect(stats["states"]?["dead"]?.int == 1 && stats["dead_by_code"]?["bad_vault"]?.int == 1)
            let dead = try await knot("\"$KNOT\" jobs list --state dead")
            #expect(dead.output.contains(id) && dead.output.contains("bad_vault"))
            #expect(try await knot("\"$KNOT\" jobs retry --job \(id)").code == 0)
            #expect(try await job(database, "state") == "available")
            try await database.run("select api.claim_jobs('\(id)')")
            try await putAside()
            let all = try await knot("\"$KNOT\" jobs retry --state dead --json")
            #expect(try JSONParser.parse(Array(all.output.utf8))["retried"]?.int == 1, "\(all.errors)")
            #expect(try await job(database, "state") == "available")
            #expect(try await knot("\"$KNOT\" jobs retry --state dead").output.contains("0 jobs are tried again"))
            #expect(try await knot("\"$KNOT\" jobs cancel --job \(id)").code == 0)
            #expect(try await job(database, "state") == "cancelled")
            #expect(try await knot("\"$KNOT\" jobs cancel --job \(id)").code == ExitCode.badInput.rawValue)
            let planned = try await knot("\"$KNOT\" plan --all --as-of 2026-05-05T14:00:00Z")
            #expect(planned.code == 0, "\(planned.errors)")
            #expect(try await job(database, "state") == "cancelled", "planning has brought it back")
            for words in [
                "list --job \(id)", "stats --job \(id)", "stats --state dead", "show --job \(id) --limit 3",
                "retry --job \(id) --state dead",
            ] {
                let refused = try await knot("\"$KNOT\" jobs \(words)")
                #expect(refused.code == ExitCode.usage.rawValue, "\(words)")
                #expect(refused.errors.contains("changes nothing"), "\(words): \(refused.errors)")
            }
            for words in ["jobs show", "jobs retry", "jobs retry --state open", "jobs cancel", "jobs sell"] {
                #expect(try await knot("\"$KNOT\" \(words)").code == ExitCode.usage.rawValue, "\(words)")
            }
            let nobody = "00000000-0000-4000-8000-0000000000ff"
            #expect(try await knot("\"$KNOT\" jobs show --job \(nobody)").code == ExitCode.notFound.rawValue)
            // A page after a job that was deleted is not the end of the list.
            let page = try await knot("\"$KNOT\" jobs list --state all --after \(nobody)")
            #expect(page.code == ExitCode.notFound.rawValue && page.errors.contains("--after"), "\(page.errors)")
        }
    }

    @Test(.enabled(if: SpanReader.isHere, Comment(rawValue: SpanReader.absence)))
    func `spans lead from the job to its run, its nodes and its notice, under the trace that the log names`()
        async throws
    {
        try await withDueReminder { knot, database, outbox in
            let file = outbox.appendingPathComponent(".spans")
            let done = try await knot("\(work) --spans \"$OUTBOX/.spans\"")
            #expect(done.code == 0, "\(done.errors)")
            let read = try SpanReader.read(file)
            #expect(read["traces"]?.int == 1 && read["orphans"]?.int == 0, "\(read)")
            #expect(read["spans"] == read["distinct"])
            let paths = (read["paths"]?.array ?? []).compactMap(\.string)
            for path in ["process reminders", "deliver outbox", "run", "run > brief"] {
                let whole = path == "process reminders" ? path : "process reminders > " + path
                #expect(paths.contains(whole), "\(whole) is not among \(paths)")
            }
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = try done.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
                .map { try JSONParser.parse(Array($0.utf8)) }
            let ended = try #require(lines.first { $0["event"]?.string == "job_completed" })
            let trace = try #require(ended["trace_id"]?.string)
            #expect(text.contains(trace))
            let texts = try await database.run(
                """
                select partner_name from public.partner_vaults union select milestone_name from public.partner_milestones
                union select hint_text from public.hints union select title from public.recommendations
                union select id::text from public.partner_vaults union select claim_token::text
                from public.recommendation_jobs where claim_token is not null
                """
            )
            for words in texts.compactMap({ $0[0] }) { #expect(!text.contains(words), "spans show \(words)") }
        }
    }

    @Test func `a collector that is not there loses spans and nothing else`() async throws {
        try await withDueReminder { knot, database, outbox in
            let done = try await knot("\(work) --spans http://127.0.0.1:1")
            #expect(done.code == 0, "\(done.errors)")
            #expect(done.errors.contains("spans are lost") && !done.errors.contains("note: 0 spans"))
            #expect(try files(outbox).count == 1)
            let nowhere = try await knot("\(work) --spans /proc/none/spans")
            #expect(nowhere.code == ExitCode.inputOutput.rawValue, "\(nowhere.errors)")
            let odd = try await knot("OTEL_EXPORTER_OTLP_HEADERS=a=canary-5f1e-key \(work) --spans http://192.0.2.1")
            #expect(odd.code == ExitCode.configuration.rawValue, "\(odd.errors)")
            PlantedSecret.expectAbsent(from: odd.errors, of: "a refused collector")
        }
    }

    /// The window opens at 10:00, and everybody's minute is another one.
    @Test func `a list of jobs says of each what it is about, how often it was tried, who has it and why it failed`()
        async throws
    {
        try await withDueReminder { knot, database, _ in
            let id = try await job(database, "id")
            let waiting = try await knot("\"$KNOT\" jobs list").output
            #expect(waiting.contains("birthday, 7 days before 2026-05-16"), "\(waiting)")
            #expect(waiting.contains("vault \(first)") && !waiting.contains("attempt"))
            try await database.run("select api.claim_jobs('\(id)')")
            let held = try await knot("\"$KNOT\" jobs list --state running").output
            #expect(held.contains("attempt 1") && held.contains("held by \(id)"), "\(held)")
            try await database.run(
                "select api.fail(j.id, j.claim_token, 'data', 'bad_vault', 'x', true) from public.recommendation_jobs j"
                    + " where j.state = 'running'"
            )
            let dead = try await knot("\"$KNOT\" jobs list --state dead").output
            #expect(dead.contains("bad_vault") && !dead.contains("held by"), "\(dead)")
            for name in try await database.run(
                "select partner_name from public.partner_vaults union select milestone_name from public.partner_milestones"
            ).compactMap({ $0[0] }) { #expect(!(waiting + held + dead).contains(name), "\(name)") }
        }
    }

    /// A terminal that is closed kills no worker: what it holds would wait for its lease.
    @Test(arguments: ["TERM", "HUP"])
    func `a worker that is told to stop while it waits ends well`(signal: String) async throws {
        try await withDueReminder { knot, database, outbox in
            let script = """
                true
                "$KNOT" work --deliver outbox:"$OUTBOX" 2>"$OUTBOX/.log" & pid=$!
                for turn in $(seq 12000); do grep -q job_completed "$OUTBOX/.log" && break; sleep 0.1; done
                kill -\(signal) $pid; wait $pid; echo "code $?"; cat "$OUTBOX/.log" >&2
                """
            let outcome = try await knot(script)
            #expect(outcome.output.contains("code 0"), "\(outcome.output) \(outcome.errors)")
            #expect(outcome.output.contains("1 job: 1 completed"))
            #expect(outcome.errors.contains("draining") && outcome.errors.contains("stopped"))
            #expect(try await job(database, "state") == "completed")
            #expect(try files(outbox).count == 1)
        }
    }

    @Test func `a second polite signal gives back at once what is held, and the exit code says so`() async throws {
        // Somebody's address that takes every call and comes to no end with its answer.
        let server = try LoopbackServer { _ in
            LoopbackReply([.drip(LoopbackReply.head(200, [("Content-Length", "0")]), every: .milliseconds(500))])
        }
        defer { server.stop() }
        try await withDueReminder { knot, database, outbox in
            let script = """
                true
                export KNOT_WEBHOOK_URL=http://127.0.0.1:\(server.port)/ KNOT_WEBHOOK_PRIVATE=allowed
                export KNOT_WEBHOOK_KEY=0123456789abcdef0123456789abcdef
                "$KNOT" work --deliver webhook 2>"$OUTBOX/.log" & pid=$!
                for turn in $(seq 12000); do [ -e "$OUTBOX/.called" ] && break; sleep 0.1; done
                kill -TERM $pid
                for turn in $(seq 12000); do grep -q draining "$OUTBOX/.log" && break; sleep 0.1; done
                # Two that come together are one.
                sleep 1.2; kill -TERM $pid
                start=$(date +%s); wait $pid; echo "code $? after $(( $(date +%s) - start )) s"
                cat "$OUTBOX/.log" >&2
                """
            async let outcome = knot(script)
            #expect(await server.hasSeen(requests: 1))
            try Data().write(to: outbox.appendingPathComponent(".called"))
            let ending = try await outcome
            let words = ending.output.split(separator: " ")
            #expect(ending.output.contains("code 143 after"), "\(ending.output) \(ending.errors)")
            // After one signal it would be 25.
            #expect((words.dropLast().last.flatMap { Int($0) } ?? .max) < 20, "\(ending.output)")
            #expect(try await job(database, "state") == "retryable")
            #expect(try await job(database, "last_error_code") == "worker_stopped")
        }
    }

    @Test func `a worker rides a restart of the server out`() async throws {
        try await withDueReminder { knot, database, outbox in
            let script = """
                true
                "$KNOT" work --deliver outbox:"$OUTBOX" 2>"$OUTBOX/.log" & pid=$!
                for turn in $(seq 12000); do grep -q job_completed "$OUTBOX/.log" && break; sleep 0.1; done
                touch "$OUTBOX/.ready"
                for turn in $(seq 12000); do
                    [ $(grep -c job_completed "$OUTBOX/.log") -ge 2 ] && break; sleep 0.1
                done
                kill -TERM $pid; wait $pid; echo "code $?"; cat "$OUTBOX/.log" >&2
                """
            async let outcome = knot(script)
            while !FileManager.default.fileExists(atPath: outbox.appendingPathComponent(".ready").path) {
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
            // Every connection is ended, as by a server that restarts; then there is more to do.
            for _ in 1...5 {
                try await database.run(
                    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'knot_worker' and datname = current_database()"
                )
                try await ContinuousClock().sleep(for: .milliseconds(100))
            }
            try await database.run(
                """
                select api.enqueue(array[m.id], array[date '2026-05-16'], array[14], array[knot.clock()])
                from public.partner_milestones m join public.recommendation_jobs j on j.milestone_id = m.id
                where j.occurrence_date = '2026-05-16' and j.days_before = 7;
                update public.partner_milestones set milestone_date = '2000-05-23'
                where id = (
                    select milestone_id from public.recommendation_jobs
                    where occurrence_date = '2026-05-16' and days_before = 14
                );
                update public.recommendation_jobs set occurrence_date = '2026-05-23'
                where occurrence_date = '2026-05-16' and days_before = 14
                """
            )
            let ending = try await outcome
            #expect(ending.output.contains("code 0"), "\(ending.output) \(ending.errors)")
            #expect(ending.output.contains("2 completed"), "\(ending.errors)")
            #expect(try files(outbox).count == 2)
        }
    }
}

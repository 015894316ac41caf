import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing
import VaultStore

/// The verbs of the database, run as a person runs them, on both servers the schema is for.
@Suite(.tags(.database)) struct `The verbs of the database` {
    private let first = DatabaseCommand.first

    @Test(arguments: ServerVersion.serving)
    func `migrate makes the schema, says so, and finds nothing to do twice`(version: ServerVersion) async throws {
        try await withDatabase(version) { database in
            let plan = try await DatabaseCommand.json("\"$KNOT\" migrate --dry-run --json", on: database.url)
            #expect(plan["dry_run"] == true && (plan["steps"]?.array?.count ?? 0) > 12)
            #expect(try await database.run("select 1 from pg_namespace where nspname = 'knot'").isEmpty)
            let done = try await DatabaseCommand.run("\"$KNOT\" migrate", on: database.url)
            #expect(done.code == 0 && done.output.contains("applied 012_notification_queue.sql\n"))
            #expect(done.errors.isEmpty, "no terminal, no progress")
            let again = try await DatabaseCommand.run("\"$KNOT\" migrate", on: database.url)
            #expect(again.output.hasPrefix("nothing to do: "))
            let status = try await DatabaseCommand.json("\"$KNOT\" migrate --status --json", on: database.url)
            #expect(status["pending"] == 0)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `a vault is imported once, chosen for once, and listed`(version: ServerVersion) async throws {
        try await withDatabase(version, .commandMigrated) { database in
            let file = "fixtures/vaults/dev-01.json"
            let imported = try await DatabaseCommand.json("\"$KNOT\" import \(file) --json", on: database.url)
            #expect(imported["added"] == 1 && imported["failed"] == 0)
            let twice = try await DatabaseCommand.json("\"$KNOT\" import \(file) --json", on: database.url)
            #expect(twice["added"] == 0 && twice["unchanged"] == 1)

            let ask = "\"$KNOT\" run --vault \(first) --request r1 --json"
            let made = try await DatabaseCommand.run(ask, on: database.url)
            #expect(made.code == 0, "\(made)")
            let result = try JSONParser.parse(Array(made.output.utf8))
            #expect(result["stored"] == true && result["choices"]?.array?.count == 3)
            let again = try await DatabaseCommand.run(ask, on: database.url)
            #expect(again.output == made.output, "the same request has the same answer, to the byte")
            let other = try await DatabaseCommand.run(
                ask.replacing("--json", with: "--pipeline classic"),
                on: database.url
            )
            #expect(other.errors.contains("answered before") && other.errors.contains("made with choice-of-three"))
            #expect(try await database.run("select count(*) from recommendation_runs") == [["1"]])
            let rows = try await database.run(
                "select candidate_id from recommendations where run_id is not null order by position"
            )
            #expect(rows == result["choices"]?.array?.map { [$0["candidate_id"]?.string] })

            let history = try await DatabaseCommand.json("\"$KNOT\" history --vault \(first) --json", on: database.url)
            #expect(history["sets"]?.array?.count == 1)
            #expect(history["sets"]?.array?.first?["run_id"] == result["run_id"])
            for id in ["nope", "00000000-0000-4000-8000-0000000000ff"] {
                let page = try await DatabaseCommand.run(
                    "\"$KNOT\" history --vault \(first) --after \(id)",
                    on: database.url
                )
                #expect(page.code == ExitCode.notFound.rawValue, "\(page)")
                #expect(page.errors.contains("--after") && !page.errors.contains("--run"), "\(page.errors)")
            }
        }
    }

    @Test func `a dry run prints everything and stores nothing`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let result = try await DatabaseCommand.json(
                "\"$KNOT\" run --vault \(first) --dry-run --json",
                on: database.url
            )
            #expect(result["stored"] == false && result["choices"]?.array?.count == 3)
            #expect(try await database.run("select count(*) from recommendation_runs") == [["0"]])
            #expect(
                try await database.run("select count(*) from hints where is_used and vault_id = '\(first)'") == [["0"]]
            )
        }
    }

    @Test func `a refresh is a new set beside the old one, and the same refresh is the same set`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            let ask = "\"$KNOT\" refresh --run \(run) --reason show_different --reject 1 --json"
            let next = try await DatabaseCommand.run(ask, on: database.url)
            #expect(next.code == 0, "\(next)")
            let again = try await DatabaseCommand.run(ask, on: database.url)
            #expect(again.output == next.output)
            let rows = try await database.run("select supersedes, round from recommendation_runs order by round")
            #expect(rows == [[nil, "0"], [run, "1"]])
            let why = try await DatabaseCommand.run("\"$KNOT\" explain --run \(run)", on: database.url)
            #expect(why.code == 0, "\(why)")
        }
    }

    @Test func `all vaults are chosen for, side by side, and a second time nothing is added`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let ask = "\"$KNOT\" run --all --request today --json"
            let batch = try await DatabaseCommand.json(ask, on: database.url)
            #expect(batch["vaults"] == 2 && batch["stored"] == 2 && batch["failed"] == 0)
            let again = try await DatabaseCommand.json(ask, on: database.url)
            #expect(again["answered_before"] == 2 && again["stored"] == 0)
            #expect(try await database.run("select count(*) from recommendation_runs") == [["2"]])
        }
    }

    @Test func `a stored request for a day that is over fails no batch, and its vault is named`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let day = "dddddddd-0000-4000-8000-000000000001"
            try await database.run(
                """
                insert into partner_milestones
                    (id, vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier)
                    values ('\(day)', '\(first)', 'custom', 'Trip', '2001-01-01', 'one_time', 'minor_occasion');
                update vault_imports set request = '{"milestone_id": "\(day)"}' where vault_id = '\(first)'
                """
            )
            let all = try await DatabaseCommand.run("\"$KNOT\" run --all --request a --json", on: database.url)
            #expect(all.code == 0, "\(all)")
            let batch = try JSONParser.parse(Array(all.output.utf8))
            #expect(batch["stored"] == 2 && batch["failed"] == 0 && batch["past_requests"] == [.string(first)])
            let forgotten = "delete from recommendation_runs; update hints set is_used = false"
            try await database.run(forgotten)
            let text = try await DatabaseCommand.run("\"$KNOT\" run --all --request b", on: database.url)
            #expect(text.code == 0 && text.output.contains("\(first): the day that its stored request is for is over"))
            try await database.run(forgotten)
            let one = try await DatabaseCommand.run("\"$KNOT\" run --vault \(first) --json", on: database.url)
            #expect(one.code == 0 && one.errors.contains("the day that its stored request is for is over"), "\(one)")
            #expect(try JSONParser.parse(Array(one.output.utf8))["milestone_id"] == .null)
            // What is asked for by name is refused as before.
            let asked = try await DatabaseCommand.run(
                "\"$KNOT\" run --vault \(first) --milestone \(day)",
                on: database.url
            )
            #expect(asked.code == 65, "\(asked)")
        }
    }

    @Test func `what is chosen beside others is what is chosen alone`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let asOf = "--as-of 2026-03-01T12:00:00Z --json"
            _ = try await DatabaseCommand.run("\"$KNOT\" run --all --request together \(asOf)", on: database.url)
            let one = "\"$KNOT\" run --vault \(first) \(asOf) --request"
            let together = try await DatabaseCommand.run("\(one) together", on: database.url)
            try await database.run("delete from recommendation_runs; update hints set is_used = false")
            let alone = try await DatabaseCommand.run("\(one) together", on: database.url)
            #expect(together.code == 0 && !together.output.isEmpty)
            #expect(together.output == alone.output)
        }
    }

    @Test func `a vault that cannot be read is listed and stops no other`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            try await database.run("delete from partner_budgets where vault_id = '\(first)'")
            let outcome = try await DatabaseCommand.run("\"$KNOT\" run --all", on: database.url)
            #expect(outcome.code == 65)
            #expect(outcome.output.contains("2 of 2 vaults: 1 stored, 1 failed\n  \(first): "))
            let strict = try await DatabaseCommand.run("\"$KNOT\" run --all --strict", on: database.url)
            #expect(strict.code == 65)
        }
    }

    @Test func `what was imported comes out as it went in`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let exported = try await DatabaseCommand.json("\"$KNOT\" export --vault \(first)", on: database.url)
            let file = Repository.root.appendingPathComponent("fixtures/vaults/dev-01.json")
            let original = try JSONParser.parse(Array(try Data(contentsOf: file)))
            #expect(JSONWriter.text(exported, style: .canonical) == JSONWriter.text(original, style: .canonical))
            let person = try await DatabaseCommand.json("\"$KNOT\" export --vault \(first) --all", on: database.url)
            #expect(person["schema"] == "knot.person/1" && person["tables"]?["hints"]?.array?.isEmpty == false)
        }
    }

    @Test func `everything of a person comes out alike, whatever a database has set`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let run = try await DatabaseCommand.run("\"$KNOT\" run --vault \(first) --model none", on: database.url)
            #expect(run.code == 0, "\(run)")
            let export = "\"$KNOT\" export --vault \(first) --all"
            let usual = try await DatabaseCommand.run(export, on: database.url)
            for setting in ["extra_float_digits = -5", "bytea_output = escape", "timezone = 'Asia/Kolkata'"] {
                try await database.run("alter database \(database.name) set \(setting)")
            }
            let odd = try await DatabaseCommand.run(export, on: database.url)
            #expect(usual.code == 0 && odd.output == usual.output)
            #expect(odd.output.contains("+00:00") && !odd.output.contains("+05:30"))
        }
    }

    @Test func `a forgotten vault is gone with the files about it, and no other`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let scratch = try ScratchFolder()
            let state = ["XDG_STATE_HOME": scratch.file("state")]
            let record = scratch.file("run.cassette")
            let ask = "\"$KNOT\" run --vault \(first) --record \(record)"
            let made = try await DatabaseCommand.run(ask, on: database.url, environment: state)
            #expect(made.code == 0, "\(made)")
            let forget = "\"$KNOT\" forget --vault \(first) --yes --json"
            let dry = try await DatabaseCommand.json("\(forget) --dry-run", on: database.url, environment: state)
            #expect(dry["files"] == .array([.string(record)]))
            #expect(FileManager.default.fileExists(atPath: record))
            let gone = try await DatabaseCommand.json(forget, on: database.url, environment: state)
            #expect(gone["files"] == .array([.string(record)]))
            #expect((gone["rows"]?["hints"]?.int ?? 0) > 0)
            #expect(!FileManager.default.fileExists(atPath: record))
            #expect(try await database.run("select count(*) from partner_vaults") == [["1"]])
            let again = try await DatabaseCommand.run(forget, on: database.url, environment: state)
            #expect(again.code == 66)
        }
    }

    @Test func `feedback teaches, and learning twice changes nothing`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            #expect(try await DatabaseCommand.run("\"$KNOT\" run --vault \(first)", on: database.url).code == 0)
            try await database.run(
                """
                insert into recommendation_feedback (recommendation_id, user_id, action, rating)
                select r.id, v.user_id, 'rated', 5 from recommendations r join partner_vaults v on v.id = r.vault_id
                where r.run_id is not null
                """
            )
            let learned = try await DatabaseCommand.json("\"$KNOT\" learn --vault \(first) --json", on: database.url)
            #expect(learned["change"] == "learned" && (learned["signals"]?.int ?? 0) >= 3)
            let asOf = try #require(learned["as_of"]?.string)
            let again = try await DatabaseCommand.json(
                "\"$KNOT\" learn --vault \(first) --as-of \(asOf) --json",
                on: database.url
            )
            #expect(again["change"] == "unchanged")
            let all = try await DatabaseCommand.run("\"$KNOT\" learn --all", on: database.url)
            #expect(all.code == 0 && all.output.hasPrefix("2 vaults: "))
        }
    }

    @Test func `a bad file is listed with its problems and stops no other`() async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let scratch = try ScratchFolder()
            let bad = try scratch.write("{\"schema\": \"knot.fixture/1\", \"name\": \"x\"}", to: "bad.json")
            let outcome = try await DatabaseCommand.run(
                "\"$KNOT\" import \(bad) fixtures/vaults/dev-03.json",
                on: database.url
            )
            #expect(outcome.code == 65)
            #expect(outcome.output == "2 vaults: 1 added, 0 there already, 1 refused\n")
            #expect(outcome.errors.contains(bad))
            #expect(try await database.run("select count(*) from partner_vaults") == [["1"]])
            let missing = try await DatabaseCommand.run("\"$KNOT\" import /nonexistent", on: database.url)
            #expect(missing.code == 66)
        }
    }

    @Test func `somebody else's vault does not exist for a user`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let users = try await database.run("select user_id from partner_vaults order by id = '\(first)' desc")
            let (own, foreign) = (try #require(users[0][0]), try #require(users[1][0]))
            let mine = try await DatabaseCommand.run(
                "\"$KNOT\" vault show --vault \(first) --as-user \(own)",
                on: database.url
            )
            #expect(mine.code == 0, "\(mine)")
            for verb in ["vault show", "run", "history", "export"] {
                let ask = "\"$KNOT\" \(verb) --vault \(first) --as-user \(foreign)"
                let outcome = try await DatabaseCommand.run(ask, on: database.url)
                #expect(outcome.code == 66, "\(outcome)")
                #expect(outcome.output.isEmpty)
            }
            let role = try await DatabaseCommand.run(
                "\"$KNOT\" run --vault \(first) --as-user service_role",
                on: database.url
            )
            #expect(role.code == 64)
        }
    }
}

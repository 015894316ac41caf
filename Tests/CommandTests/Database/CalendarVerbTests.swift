import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import knot_recommend

/// `calendar`, `plan` and `rehearse`: the same plan, shown to a person, put into the queue, and played.
@Suite(.tags(.database)) struct CalendarVerbTests {
    private let first = DatabaseCommand.first
    private let moment = "2026-05-05T14:00:00Z"

    private func withVaults(
        _ server: ServerVersion = .eighteen,
        _ body: (_ knot: (String) async throws -> BuiltCommand.Outcome, TestDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(server, .commandStocked) { database in
            try await body({ try await DatabaseCommand.run("\"$KNOT\" \($0)", on: database.url) }, database)
        }
    }

    private func jobs(_ database: TestDatabase, _ state: String = "available") async throws -> [[String?]] {
        try await database.run(
            """
            select m.milestone_name, j.occurrence_date, j.days_before, to_char(j.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            from recommendation_jobs j join partner_milestones m on m.id = j.milestone_id
            where j.state = '\(state)' order by 2, 1, 3 desc
            """
        )
    }

    private func counts(_ outcome: BuiltCommand.Outcome) throws -> [Int?] {
        let json = try JSONParser.parse(Array(outcome.output.utf8))
        return ["new", "moved", "cancelled"].map { json[$0]?.int }
    }

    @Test func `a vault that is not there has no calendar and no plan`() async throws {
        try await withVaults { knot, database async throws in
            let nobody = "00000000-0000-4000-8000-0000000000ff"
            for verb in ["calendar", "plan", "rehearse"] {
                let outcome = try await knot("\(verb) --vault \(nobody)")
                #expect(outcome.code == ExitCode.notFound.rawValue, "\(verb): \(outcome.errors)")
            }
            for words in ["calendar", "calendar --fixture f --vault \(first)", "plan", "plan --all --vault \(first)"] {
                #expect(try await knot(words).code == ExitCode.usage.rawValue, "\(words)")
            }
            let wrong = try await knot("rehearse --from 2026-05-10 --to 2026-05-09")
            #expect(wrong.code == ExitCode.usage.rawValue && wrong.errors.contains("--to lies before --from"))
            for (days, flag) in [
                ("--to 2020-01-01", "--to"), ("--from 2020-01-01 --to 2020-02-01", "--to"),
                ("--from 2020-01-01", "--from"),
            ] {
                let past = try await knot("rehearse \(days)")
                #expect(past.code == ExitCode.usage.rawValue, "\(days)")
                #expect(past.errors.contains("\(flag) lies in the past"), "\(days): \(past.errors)")
            }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `planning stores each reminder once, and again changes nothing`(server: ServerVersion) async throws {
        try await withVaults(server) { knot, database async throws in
            let dry = try await knot("plan --all --as-of \(moment) --dry-run --json")
            #expect(try await jobs(database).isEmpty)
            let made = try await knot("plan --all --as-of \(moment) --json")
            #expect(made.code == 0, "\(made.errors)")
            #expect(try counts(dry) == counts(made))
            let stored = try await jobs(database)
            #expect(try counts(made)[0] == stored.count && stored.count >= 3)
            #expect(
                try await database.run("select count(*) from notification_queue where status = 'pending'")
                    == [["\(stored.count)"]]
            )
            for again in [moment, "2026-05-05T14:01:00Z", "2026-05-06T09:00:00Z"] {
                // A day later there may be one day more within the horizon, and nothing else.
                let outcome = try counts(try await knot("plan --all --as-of \(again) --json"))
                #expect(outcome[1] == 0 && outcome[2] == 0, "\(again): \(outcome)")
            }
            let kept = try await jobs(database)
            #expect(stored.allSatisfy(kept.contains))
        }
    }

    @Test func `an edit moves and ends reminders, and what is in work or was sent stays`() async throws {
        try await withVaults { knot, database async throws in
            #expect(try await knot("plan --vault \(first) --as-of \(moment)").code == 0)
            let before = try await jobs(database).filter { $0[0] == "Dot's birthday" }
            #expect(before.map { $0[2] } == ["14", "7", "3"])
            // Somebody has begun the first.
            try await database.run(
                """
                update recommendation_jobs set attempt = 1, state = 'retryable' where days_before = 14 and milestone_id
                    in (select id from partner_milestones where milestone_name = 'Dot''s birthday')
                """
            )
            try await database.run(
                "update partner_milestones set milestone_date = '2000-05-18' where milestone_name = 'Dot''s birthday'"
            )
            let edited = try counts(try await knot("plan --vault \(first) --as-of \(moment) --json"))
            #expect(edited[2] == 2, "the two that wait are cancelled: \(edited)")
            let cancelled = try await jobs(database, "cancelled")
            #expect(cancelled.map { $0[1] } == ["2026-05-16", "2026-05-16"])
            #expect(try await jobs(database, "retryable").count == 1)
            #expect(try await jobs(database).filter { $0[0] == "Dot's birthday" }.allSatisfy { $0[1] == "2026-05-18" })
            // And back: what was called off waits again.
            try await database.run(
                "update partner_milestones set milestone_date = '2000-05-16' where milestone_name = 'Dot''s birthday'"
            )
            let back = try counts(try await knot("plan --vault \(first) --as-of \(moment) --json"))
            #expect(back[0] == 2 && (back[2] ?? 0) >= 2, "\(back)")
            #expect(try await jobs(database).filter { $0[1] == "2026-05-16" }.map { $0[2] } == ["7", "3"])
            // A person who moves keeps the hour on the clock.
            try await database.run(
                "update users set timezone = 'Asia/Tokyo' where id = (select user_id from partner_vaults where id = '\(first)')"
            )
            let moved = try counts(try await knot("plan --vault \(first) --as-of \(moment) --json"))
            #expect(moved[0] == 0 && moved[2] == 0 && (moved[1] ?? 0) >= 2, "\(moved)")
            try await database.run("update users set notifications_enabled = false")
            let off = try counts(try await knot("plan --vault \(first) --as-of \(moment) --json"))
            #expect(off[0] == 0 && (off[2] ?? 0) >= 2)
            #expect(try await jobs(database).isEmpty)
        }
    }

    /// Rows of the app's that no job is of, as a system that ran before has left them; and a person who ends one of ours.
    @Test func `what somebody else has sent and what its person has ended is neither planned nor played nor shown`()
        async throws
    {
        try await withVaults { knot, database async throws in
            func notify(_ days: Int, _ moment: String, _ status: String) async throws {
                try await database.run(
                    """
                    insert into notification_queue (user_id, milestone_id, scheduled_for, days_before, status)
                    select v.user_id, m.id, '\(moment)', \(days), '\(status)'
                    from partner_milestones m join partner_vaults v on v.id = m.vault_id
                    where v.id = '\(first)' and m.milestone_name = 'Dot''s birthday'
                    """
                )
            }
            // It is on 16 May; the last row is of another year's.
            try await notify(7, "2026-05-09 14:00Z", "sent")
            try await notify(3, "2025-05-13 14:00Z", "sent")
            let planned = try await knot("plan --vault \(first) --as-of \(moment) --explain")
            #expect(planned.code == 0 && planned.output.contains("7 days ahead: sent before"), "\(planned)")
            func waiting() async throws -> [String?] {
                try await jobs(database).filter { $0[0] == "Dot's birthday" }.map { $0[2] }
            }
            #expect(try await waiting() == ["14", "3"])
            // The person ends one in the app, and a system that still runs sends the other.
            try await database.run(
                """
                update notification_queue n set status = 'cancelled'
                from recommendation_jobs j where j.notification_id = n.id and j.days_before = 14
                """
            )
            try await notify(3, "2026-05-13 14:00Z", "sent")
            let again = try await knot("plan --vault \(first) --as-of \(moment) --explain")
            #expect(again.output.contains("14 days ahead: called off") && again.output.contains("3 days ahead: sent"))
            let played = try await knot("rehearse --vault \(first) --from 2026-05-05 --to 2026-05-15 --as-of \(moment)")
            #expect(played.output.contains("0 messages would be sent"), "\(played.output)")
            #expect(played.output.contains("(14 days ahead): called off"), "\(played.output)")
            let owner = try await database.run("select user_id from partner_vaults where id = '\(first)'")[0][0] ?? ""
            for identity in ["", "--as-user \(owner)"] {
                let shown = try await knot("calendar --vault \(first) --as-of \(moment) \(identity)")
                #expect(shown.output.contains("14 days ahead: called off"), "\(shown)")
                #expect(shown.output.contains("7 days ahead: sent before"), "\(shown)")
            }
            // A worker that has claimed the job before it was known finds out.
            try await database.run(
                "update recommendation_jobs set run_at = knot.clock() - interval '1 minute' where days_before = 3"
            )
            let script = "mkdir box; \"$KNOT\" work --drain --deliver outbox:box; ls box; rm -r box"
            let worked = try await DatabaseCommand.run("cd \"$(mktemp -d)\"; \(script)", on: database.url)
            #expect(worked.code == 0 && !worked.output.contains(".json"), "\(worked)")
        }
    }

    @Test func `a vault that no set can be made for is named by plan and rehearse, and nobody waits for the day`()
        async throws
    {
        try await withVaults { knot, database async throws in
            try await database.run(
                "delete from partner_budgets where vault_id = '\(first)' and occasion_type = 'major_milestone'"
            )
            for words in ["plan --all", "plan --vault \(first)", "rehearse", "rehearse --vault \(first)"] {
                let outcome = try await knot("\(words) --as-of \(moment)")
                #expect(outcome.code == ExitCode.badInput.rawValue, "\(words): \(outcome)")
                #expect(
                    outcome.errors.contains(first) && outcome.errors.contains("budget"),
                    "\(words): \(outcome.errors)"
                )
            }
            #expect(try await jobs(database).isEmpty)
        }
    }

    @Test func `spaces around a zone or a country, and a country that is blank, move no day and no hour`() async throws
    {
        try await withVaults { knot, database async throws in
            try await database.run(
                """
                update partner_milestones set milestone_name = 'Mother''s Day', milestone_type = 'holiday',
                    milestone_date = '2000-05-10' where vault_id = '\(first)' and milestone_name = 'Christmas'
                """
            )
            func store(_ zone: String, _ country: String) async throws {
                try await database.run("update users set timezone = '\(zone)'")
                try await database.run("update partner_vaults set location_country = '\(country)'")
            }
            func calendar() async throws -> String {
                try await knot("calendar --vault \(first) --as-of 2027-04-25T12:00:00Z --json").output
            }
            try await store("America/New_York", "US")
            let plain = try await calendar()
            #expect(plain.contains("2027-05-09") && plain.contains("America/New_York"), "\(plain)")
            for (zone, country) in [
                (" America/New_York\n", "us "), ("\tAmerica/New_York", "  "), ("America/New_York", ""),
            ] {
                try await store(zone, country)
                #expect(try await calendar() == plain, "\(zone), \(country)")
            }
        }
    }

    @Test func `the worker's role may plan, and quiet hours of the person count`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            try await database.run("update users set quiet_hours_start = 12, quiet_hours_end = 10")
            let url = database.url(user: "knot_worker")
            let outcome = try await DatabaseCommand.run("\"$KNOT\" plan --all --as-of \(moment)", on: url)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let hours = try await database.run(
                """
                select extract(hour from j.run_at at time zone u.timezone)::int
                from recommendation_jobs j join partner_vaults v on v.id = j.vault_id join users u on u.id = v.user_id
                """
            )
            #expect(!hours.isEmpty && hours.allSatisfy { ["10", "11"].contains($0[0]) }, "\(hours)")
        }
    }

    @Test func `a rehearsal tells what the plan then does, and stores nothing`() async throws {
        try await withVaults { knot, database async throws in
            let words = "rehearse --vault \(first) --from 2026-05-05 --to 2026-06-10 --as-of \(moment) --json"
            let played = try JSONParser.parse(Array(try await knot(words).output.utf8))
            #expect(try await jobs(database).isEmpty)
            let told = Set(
                (played["vaults"]?.array ?? []).flatMap { $0["messages"]?.array ?? [] }
                    .compactMap { $0["sends_at"]?.string }
            )
            #expect(try await knot("plan --vault \(first) --as-of \(moment)").code == 0)
            let stored = Set(try await jobs(database).compactMap { $0[3] }.filter { $0 < "2026-06-11T04" })
            #expect(!told.isEmpty && told == stored, "\(told) and \(stored)")
        }
    }

    @Test func `a person's calendar has the reminders that are stored, also as a file`() async throws {
        try await withVaults { knot, database async throws in
            #expect(try await knot("plan --vault \(first) --as-of \(moment)").code == 0)
            let shown = try JSONParser.parse(
                Array(try await knot("calendar --vault \(first) --as-of \(moment) --json").output.utf8)
            )
            let moments = (shown["days"]?.array ?? []).flatMap { $0["reminders"]?.array ?? [] }
                .compactMap { $0["sends_at"]?.string }
            for job in try await jobs(database) { #expect(moments.contains(job[3] ?? ""), "\(job)") }
            let file = try await knot("calendar --vault \(first) --as-of \(moment) --ics")
            #expect(file.code == 0 && file.output.hasPrefix("BEGIN:VCALENDAR\r\n"))
            #expect(file.output.contains("SUMMARY:Dot's birthday\r\n"))
            let owner = try await database.run("select user_id from partner_vaults where id = '\(first)'")[0][0] ?? ""
            let person = try await knot("calendar --vault \(first) --as-user \(owner) --as-of \(moment)")
            #expect(person.code == 0 && person.output.contains("Dot's birthday"), "\(person.errors)")
        }
    }
}

@Suite struct `A fixture's calendar` {
    @Test func `is the same every time, in text, JSON and as a file`() async throws {
        for form in ["", " --json", " --ics"] {
            var outputs: Set<String> = []
            for _ in 0..<2 {
                let sink = MemorySink()
                let tool = CommandTool(environment: Environment([:]), output: sink, diagnostics: MemorySink())
                let path = Repository.root.appending(path: "fixtures/vaults/dev-01.json").path
                let words = ["calendar", "--fixture", path] + form.split(separator: " ").map(String.init)
                #expect(await tool.run(words) == .done)
                outputs.insert(sink.text)
            }
            let text = try #require(outputs.first)
            #expect(outputs.count == 1)
            #expect(text.contains("Dot's birthday") && text.contains("Christmas"))
            for line in text.split(separator: "\n") where form.isEmpty { #expect(line.count <= 80, "\(line)") }
        }
    }
}

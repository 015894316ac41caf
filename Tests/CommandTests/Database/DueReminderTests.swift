import Console
import Foundation
import TestSupport
import Testing

/// Suites about one vault's reminder that `plan` has put into the queue.
protocol DueReminderTests {}

extension DueReminderTests {
    var first: String { DatabaseCommand.first }

    /// One vault's reminder of its birthday in a week, planned by the command, due on a queue whose clock is the evening of
    /// 9 May in London; `$OUTBOX` in a script is an empty folder.
    func withDueReminder(
        at clock: String = "2026-05-09 19:50Z",
        _ body: (
            _ knot: @escaping @Sendable (String) async throws -> BuiltCommand.Outcome, TestDatabase, URL
        ) async throws -> Void
    ) async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let outbox = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: outbox) }
            try await database.run(
                """
                update public.users set timezone = 'Europe/London';
                create or replace function knot.clock() returns timestamptz language sql stable
                    set search_path = pg_catalog, pg_temp as 'select timestamptz ''\(clock)'''
                """
            )
            let url = database.url(user: "knot_worker")
            let knot: @Sendable (String) async throws -> BuiltCommand.Outcome = { script in
                try await DatabaseCommand.run(script, on: url, environment: ["OUTBOX": outbox.path])
            }
            let plan = try await knot("\"$KNOT\" plan --vault \(first) --as-of 2026-05-08T10:00:00Z")
            #expect(plan.code == 0, "\(plan.errors)")
            try await body(knot, database, outbox)
        }
    }

    func job(_ database: TestDatabase, _ column: String) async throws -> String {
        try #require(
            try await database.run(
                "select \(column) from public.recommendation_jobs where occurrence_date = '2026-05-16' and days_before = 7"
            )[0][0]
        )
    }

    func files(_ outbox: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: outbox.path).filter { !$0.hasPrefix(".") }
    }
}

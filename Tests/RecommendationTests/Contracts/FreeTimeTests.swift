import KnotDomain
import Recommendation
import TestSupport
import Testing

/// What is dropped because the two cannot go then: by the day in its title, or by its hour.
@Suite("The time the two are free") struct FreeTimeTests {
    private static func run(_ limits: [String], _ candidates: [Candidate]) async throws -> EngineRun {
        var scene = Scene(candidates)
        scene.note("Her weeks are full", serves: ["zither"], limits: limits)
        return try await scene.run()
    }

    private static func titled(_ title: String) -> Candidate { .invented("outing", title, type: .experience) }

    @Test(arguments: [
        ("works every Sunday", "Kiln Hour, Sundays"), ("works every Sunday", "Sunday Kiln Hour"),
        ("works every Sunday", "Kiln Hour, Sun 7 pm"), ("works every weekend", "Sat & Sun Kiln Hour"),
        ("works every weekend", "Kiln Hour (Sat–Sun)"), ("works every weekend", "Saturday and Sunday Kiln Hour"),
        ("night shift Mon-Wed", "Kiln Hour, Mon, Tue or Wed"),
        ("night shift Mon-Wed", "Kiln Hour Mondays to Wednesdays"),
        ("works every weekend", "Kiln Hour at Weekends"),
    ])
    func `drops what is only on days that are ruled out`(limit: String, title: String) async throws {
        #expect(try await Self.run([limit], [Self.titled(title)]).dropReason(of: "outing") == "not_free")
    }

    @Test(arguments: [
        ("works every Sunday", "Kiln Hour, Any Saturday or Sunday"), ("works every Sunday", "Kiln Hour Fri-Sun"),
        ("works every Sunday", "Kiln Hour, Thursdays to Sundays"),
        ("works every weekend", "Kiln Hour, Friday to Sunday"),
        ("night shift Mon-Wed", "Kiln Hour, Tuesdays and Thursdays"),
        ("works every Sunday", "Kiln Hour, except Sundays"),
        ("works every Sunday", "Kiln Hour, Tue to Fri"),
    ])
    func `keeps what is on another day as well`(limit: String, title: String) async throws {
        #expect(try await Self.run([limit], [Self.titled(title)]).dropReason(of: "outing") == nil)
    }

    @Test(arguments: [
        "Midnight Sun Cruise", "Sun and Moon Ceramics", "The Cat Who Sat Beside Us, a Play", "Newly Wed Waltz Lesson",
        "Mon Amour, a Film Evening", "Sun-Dried Tomato Tasting", "Mardi Gras Supper", "Thus Spoke the Kiln",
    ])
    func `takes no word for a day that only looks like one`(title: String) async throws {
        let limits = ["works Monday to Sunday"]
        #expect(try await Self.run(limits, [Self.titled(title)]).dropReason(of: "outing") == nil)
    }

    @Test func `drops an event at an hour that is ruled out on every day`() async throws {
        let run = try await Self.run(
            ["no evenings"],
            [
                .invented("late", "Kiln Hour", type: .experience, startsAt: "2026-03-05T20:00:00Z"),
                .invented("early", "Loom Hour", type: .experience, startsAt: "2026-03-05T10:00:00Z"),
                .invented("open", "Loom Afternoon, Sundays", type: .experience),
            ]
        )
        #expect(run.dropReason(of: "late") == "not_free")
        #expect(run.dropReason(of: "early") == nil && run.dropReason(of: "open") == nil)
    }

    /// "Works on the 5th until seven" goes on with "nothing before eight", and says nothing of other days.
    @Test func `holds hours against the days that are named beside them, and no others`() async throws {
        let run = try await Self.run(
            ["works March 5 until 7pm", "nothing before 8pm"],
            [
                .invented("that-day", "Kiln Hour", type: .experience, startsAt: "2026-03-05T15:00:00Z"),
                .invented("another", "Loom Hour", type: .experience, startsAt: "2026-03-06T15:00:00Z"),
            ]
        )
        #expect(run.dropReason(of: "that-day") == "not_free" && run.dropReason(of: "another") == nil)
    }
}

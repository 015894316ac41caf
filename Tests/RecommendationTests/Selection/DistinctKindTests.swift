import Fixtures
import KnotDomain
import Recommendation
import TestSupport
import Testing

/// Three scarves are no choice of three, also where they are called by other words.
@Suite("Kinds of things in a set") struct DistinctKindTests {
    private static let scarves: [Candidate] = [
        .invented("scarf-1", "Striped merino scarf", ships: 1),
        .invented("scarf-2", "Long silk scarf, peacock", ships: 1),
        .invented("scarf-3", "Velvet scarf for the opera", ships: 1),
    ]
    private static let others: [Candidate] = [
        .invented("lamp", "Brass desk lamp", ships: 1), .invented("tray", "Slate serving tray", ships: 1),
    ]

    private static func run(_ candidates: [Candidate], settings: [String] = []) async throws -> EngineRun {
        var scene = Scene(candidates)
        scene.note("She wants a scarf", serves: ["scarf"])
        return try await scene.run(settings: settings)
    }

    @Test func `are all different where the pool has others`() async throws {
        let run = try await Self.run(Self.scarves + Self.others)
        #expect(run.shown.count { $0.hasPrefix("scarf") } == 1 && run.shown.count == 3)
        #expect(!run.codes.contains("relaxed_rule"))
    }

    @Test func `may be one before the set gets smaller, and that is said`() async throws {
        let run = try await Self.run(Self.scarves)
        #expect(run.shown.count == 3 && run.codes.contains("relaxed_rule"))
    }

    @Test func `do not matter where a pipeline says so`() async throws {
        let settings = ["select.distinct_kinds=false", "check.distinct_kinds=false"]
        let run = try await Self.run(Self.scarves + Self.others, settings: settings)
        #expect(run.shown.count { $0.hasPrefix("scarf") } == 3)
    }

    @Test func `stay different when one that was lost is replaced`() async throws {
        var scene = Scene(Self.scarves + Self.others)
        scene.candidates.append(.invented("bell", "Glass bell", ships: 1))
        scene.note("She wants a scarf", serves: ["scarf"])
        scene.facts["lamp"] = AvailabilityFact(check: .soldOut, checkedPriceCents: nil)
        let run = try await scene.run()
        #expect(run.shown.count == 3 && run.shown.count { $0.hasPrefix("scarf") } == 1)
    }

    @Test func `never show one page twice, whatever its titles say`() async throws {
        let page = "https://shop.example/silk/17"
        let twins: [Candidate] = [
            .invented("one", "Silk square with a peacock", url: page, price: 9_000, ships: 1),
            .invented("two", "Foulard en soie, motif paon", url: page, price: 9_500, ships: 1),
        ]
        let run = try await Self.run(twins + Self.others)
        #expect(run.shown.count == 3 && run.shown.count { ["one", "two"].contains($0) } == 1)
    }
}

import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// What a run says when there is nothing to choose from, and when nobody but the rules could read the hints.
@Suite("A run of a new vault") struct EmptyPoolTests {
    @Test(arguments: ShippedPipelines.names) func `says that there are no candidates, and only then`(
        pipeline: String
    ) async throws {
        #expect(try await Scene().run(pipeline).codes.contains("no_candidates"))
        // A pool of which nothing may be shown is another thing.
        let dear = Scene([.invented("a", "Marble fountain", price: 9_000_000)])
        let run = try await dear.run(pipeline)
        #expect(run.outcome == .short && !run.codes.contains("no_candidates"))
    }

    @Test(arguments: [(0, "no_notes"), (1, "few_notes"), (2, "few_notes"), (3, nil)] as [(Int, String?)])
    func `says that notes would help, as long as there are few`(count: Int, code: String?) async throws {
        var scene = Scene([
            .invented("a", "Brass compass", ships: 1), .invented("b", "Walnut tray", ships: 1),
            .invented("c", "Wool blanket", ships: 1),
        ])
        for number in 0..<count { scene.note("She would love a brass compass, and said so \(number) times") }
        let run = try await scene.run()
        let said = run.report.reasons.filter { ["no_notes", "few_notes"].contains($0.code) }
        #expect(said.map(\.code) == [code].compactMap(\.self))
        #expect(said.allSatisfy { !$0.degrades && $0.detail.contains("more personal") })
    }

    @Test func `notes that the rules read the hints, and is not degraded by it`() async throws {
        var scene = Scene([
            .invented("a", "Brass compass", ships: 1), .invented("b", "Walnut tray", ships: 1),
            .invented("c", "Wool blanket", ships: 1),
        ])
        scene.note("She would love a brass compass")
        var ports = scene.ports()
        let own = ports.request
        ports.request = RunRequest(
            vaultID: own.vaultID,
            occasion: own.occasion,
            asOf: own.asOf,
            refresh: own.refresh,
            isLive: true
        )
        ports.embedder = WordAxes()
        let run = try await scene.run(ports: ports)
        #expect(run.codes.contains("reading_rules"))
        #expect(run.report.reasons.allSatisfy { $0.code != "reading_rules" || !$0.degrades })
        #expect(!run.report.reasons.contains { $0.degrades && $0.code != "relaxed_rule" }, "\(run.report.reasons)")
    }
}

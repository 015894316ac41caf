import StageGraph
import Testing

@Suite struct `A graph runner` {
    @Test func `runs every node once and gives the result`() async throws {
        let report = try await PebblePipeline.run()
        let checked = try report.result(as: CheckedSelection<Pebble>.self)
        #expect(checked.standing.count == 3)
        #expect(report.nodes.allSatisfy { $0.state == .succeeded && $0.attempts == 1 })
        #expect(report.output(of: "count", as: Int.self) == 3)
        #expect(report.reasons.isEmpty)
        #expect(report.ledger.lines.count == 14)
        #expect(report.counts[.chosen] == 3)
        #expect(report.counts[.abandoned] == 0)
    }
}

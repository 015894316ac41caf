import JSONDocument
import StageGraph
import TestSupport
import Testing
import Threads

@Suite struct `A trace` {
    private func lines(_ report: RunReport, measured: Bool = true) throws -> [JSONValue] {
        try report.trace.ndjson(measured: measured).split(separator: 0x0A).map { try JSONParser.parse(Array($0)) }
    }

    @Test func `is one object a line from start to end`() async throws {
        let report = try await PebblePipeline.run()
        let lines = try lines(report)
        #expect(lines.first?["event"] == "run_start")
        #expect(lines.first?["plan"]?["hash"]?.string == report.plan.identity)
        #expect(lines.last?["event"] == "run_end")
        let starts = lines.filter { $0["event"] == "node_start" }.compactMap { $0["node"]?.string }
        let ends = lines.filter { $0["event"] == "node_end" }.compactMap { $0["node"]?.string }
        #expect(starts == report.plan.nodes.map(\.id.text))
        #expect(starts == ends)
    }

    @Test func `says which layer set each parameter`() async throws {
        let report = try await PebblePipeline.run(#"{ "nodes": { "few": { "parameters": { "count": 9 } } } }"#)
        let parameters = try lines(report)[0]["parameters"]?.array ?? []
        func layer(_ node: String) -> JSONValue? { parameters.first { $0["node"] == .string(node) }?["layer"] }
        #expect(layer("few") == "experiment")
        #expect(layer("heavy") == "file")
        #expect(layer("north") == "default")
    }

    @Test func `tells the whole life of one item`() async throws {
        let report = try await PebblePipeline.run()
        let chosen = try #require(report.ledger.items(.chosen).first)
        let nodes = report.trace.events(for: chosen).map(\.node)
        #expect(nodes.contains("weight") && nodes.contains("sum") && nodes.contains("top"))
        #expect(nodes.last == "check")
        let first = try #require(report.trace.events(for: chosen).first)
        guard case .item(.retrieved) = first.entry else {
            Issue.record("the first event is \(first.entry)")
            return
        }
    }

    @Test func `holds nothing measured when asked not to`() async throws {
        let report = try await PebblePipeline.run()
        for line in try lines(report, measured: false) {
            #expect(line["ms"] == nil && line["at_ms"] == nil && line["late"] == nil)
        }
        #expect(try lines(report).last?["ms"]?.double != nil)
    }

    @Test func `gives totals whose parts add up`() async throws {
        let report = try await PebblePipeline.run()
        let totals = try lines(report).filter { $0["event"] == "totalled" }
        #expect(!totals.isEmpty)
        for line in totals {
            let parts = line["parts"]?.object?.members.compactMap(\.value.double) ?? []
            #expect(parts.reduce(0, +) == line["score"]?.double)
        }
    }

    @Test func `keeps what a stage traced and noted, once, and nothing after its end`() {
        let log = NodeLog()
        let context = StageContext(
            alone: "n",
            deadlines: DeadlineScheduler(executor: StageExecutor(threads: 1)),
            log: log
        )
        context.trace(TraceEvent("looked", item: ItemID("a"), ["hits": 3]))
        context.note("rates_stale", "31 days old", degrades: true)
        context.note("rates_stale", "31 days old", degrades: true)
        let logged = log.close()
        context.trace(TraceEvent("late"))
        #expect(logged.reasons == [RunReason(code: "rates_stale", node: "n", detail: "31 days old", degrades: true)])
        #expect(logged.entries.count == 1)
        #expect(log.close().entries.count == 1)
    }
}

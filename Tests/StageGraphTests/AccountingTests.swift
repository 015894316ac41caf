import StageGraph
import TestSupport
import Testing

@Suite struct `The runner's accounting` {
    private func run(_ patch: String = "{}", _ change: (inout Quarry) -> Void) async throws -> RunReport {
        var quarry = Quarry()
        change(&quarry)
        return try await PebblePipeline.run(patch, quarry)
    }

    @Test(arguments: ["heap", "top"] as [NodeID]) func `makes a stage that loses an item fail the run`(
        _ node: NodeID
    ) async throws {
        let report = try await run {
            $0.moods[node] = .lies; $0.pools["north"] = (0..<20).map { Pebble("p\($0)", weight: Double($0) / 4) }
        }
        #expect(report.outcome.failure?.failureClass == .stage)
        #expect(report.outcome.failure?.code == StageFailure.brokenLaw)
        #expect(report.failedNode == node)
        #expect(report.ledger.violations.isEmpty)
    }

    @Test func `keeps the first of two equal items and says so`() async throws {
        let report = try await run {
            $0.pools["north"] = [Pebble("a", weight: 1), Pebble("a", weight: 3), Pebble("b", weight: 5)]
            $0.pools["south"] = []
        }
        #expect(
            report.output(of: "north", as: Pool<Pebble>.self)?.items == [
                Pebble("a", weight: 1), Pebble("b", weight: 5),
            ]
        )
        #expect(report["north"]?.incoming == 3)
        #expect(report["north"]?.outgoing == 2)
        #expect(report.reasons.map(\.code) == ["duplicate_id"])
        #expect(!report.isDegraded)
    }

    @Test func `lets the first pool stand for an item that two pools bring`() async throws {
        let report = try await run {
            $0.pools["north"] = [Pebble("a", weight: 1)]
            $0.pools["south"] = [Pebble("a", weight: 3), Pebble("b", weight: 5)]
        }
        #expect(
            report.output(of: "heap", as: Pool<Pebble>.self)?.items == [Pebble("a", weight: 1), Pebble("b", weight: 5)]
        )
        #expect(report.ledger[ItemID("a")]?.state == .chosen)
        let trace = String(decoding: report.trace.ndjson(), as: UTF8.self)
        #expect(trace.contains(#""event":"merged","node":"heap","item":"a","into":"a","why":"same_id""#))
    }

    @Test func `gives each item the end it had`() async throws {
        let report = try await run {
            $0.pools["north"] =
                [
                    Pebble("twin", weight: 1), Pebble("heavy", weight: 9), Pebble("even", weight: 8),
                    Pebble("odd", weight: 7), Pebble("light", weight: 0.5),
                ] + (0..<12).map { Pebble("n\($0)", weight: 3 + Double($0) / 16) }
            $0.pools["south"] = [Pebble("double", weight: 1)]
        }
        #expect(report.ledger[ItemID("double")]?.state == .merged)
        #expect(report.ledger[ItemID("heavy")]?.state == .dropped)
        #expect(report.ledger[ItemID("even")]?.state == .lost)
        #expect(report.ledger[ItemID("odd")]?.state == .chosen)
        #expect(report.ledger[ItemID("n11")]?.state == .cut)
        #expect(report.ledger[ItemID("light")]?.state == .notSelected)
        #expect(report.counts.retrieved == 18)
        #expect(ItemState.allCases.reduce(0) { $0 + report.counts[$1] } == 18)
        #expect(report.counts[.abandoned] == 0)
    }

    @Test func `abandons what a failed run had not decided`() async throws {
        let report = try await run { $0.moods["top"] = .fails(.provider, times: 9) }
        #expect(report.outcome.failure?.failureClass == .provider)
        #expect(report.counts[.abandoned] > 0)
        #expect(report.counts[.chosen] == 0)
    }

    @Test func `counts scores that are not finite as missing`() async throws {
        let report = try await run { $0.moods["weight"] = .lies }
        #expect(report.output(of: "weight", as: ScoreColumn.self)?.contributions.isEmpty == true)
        #expect(report.isDegraded == false)
        let trace = String(decoding: report.trace.ndjson(), as: UTF8.self)
        #expect(trace.contains(#""event":"non_finite","node":"weight""#))
    }

    @Test func `ranks a total that is not finite last`() async throws {
        let report = try await run(#"{ "nodes": { "heavy": { "substitute": "heap" } } }"#) {
            $0.moods["heavy"] = .fails(.data, times: 9)
            $0.pools["north"] = [Pebble("nan", weight: 2e6), Pebble("b", weight: 1), Pebble("c", weight: 3)]
            $0.pools["south"] = []
        }
        let ranking = try #require(report.output(of: "sum", as: Ranking<Pebble>.self))
        #expect(ranking.entries.map(\.item.itemID.text) == ["c", "b", "nan"])
    }

    @Test func `takes an empty pool as a pool`() async throws {
        let report = try await run { $0.pools = ["north": [], "south": []] }
        #expect(try report.result(as: CheckedSelection<Pebble>.self).standing.isEmpty)
        #expect(report.counts.retrieved == 0)
    }
}

import JSONDocument
import StageGraph
import Synchronization
import TestSupport
import Testing
import Threads

@Suite(.serialized) struct `Random graphs` {
    private static let catalog = PebbleCatalog.make()

    private static func plan(_ graph: RandomGraph) throws -> Plan {
        // Waits along a path may exceed the short deadline by chance; the runner must keep the deadline all the same.
        var definition = try PipelineDefinition(json: graph.definition, file: "random")
        definition.deadline = .seconds(60)
        return try Plan(definition, catalog: catalog)
    }

    @Test(arguments: UInt64(0)..<60) func `keep every law whatever fails, stalls or is cancelled`(
        _ seed: UInt64
    ) async throws {
        let graph = RandomGraph(seed: seed, isTimed: true)
        var generator = SeededGenerator(seed: seed &+ 1_000)
        let runner = GraphRunner(
            executor: StageExecutor(threads: Int.random(in: 1...4, using: &generator))
        )
        let cancellation = RunCancellation()
        let isCancelled = generator.unit() < 0.2
        let deadline = Duration.milliseconds(90)
        let options = RunOptions(
            seed: seed,
            deadline: deadline,
            observers: isCancelled ? [Canceller(at: "all", cancellation)] : [],
            cancellation: cancellation,
            shuffle: generator.unit() < 0.5 ? seed : nil
        )
        let bound = try Self.plan(graph).bind(to: graph.quarry)
        let report = await runner.report(of: bound, options: options)
        graph.quarry.over.raise()

        // Whatever stalls or spins does so for much longer.
        #expect(report.elapsed <= deadline + .seconds(20), "seed \(seed)")
        #expect(report.nodes.count == graph.nodes.count)
        for node in report.nodes { checkStates(node, seed) }
        checkItems(report, seed)
        if case .success = report.outcome {
            let failed = report.nodes.filter { $0.failure?.failureClass == .stage }
            #expect(failed.isEmpty, "seed \(seed): a broken law failed open at \(failed.map(\.node))")
        }
    }

    private func checkStates(_ node: NodeReport, _ seed: UInt64) {
        switch node.state {
        case .succeeded: #expect(node.failure == nil && node.attempts > 0, "seed \(seed): \(node)")
        case .failed, .timedOut, .substituted: #expect(node.failure != nil, "seed \(seed): \(node)")
        case .skipped: #expect(node.attempts == 0, "seed \(seed): \(node)")
        case .cancelled: break
        }
    }

    private func checkItems(_ report: RunReport, _ seed: UInt64) {
        #expect(report.ledger.violations.isEmpty, "seed \(seed)")
        #expect(Set(report.ledger.lines.map(\.item)).count == report.ledger.lines.count, "seed \(seed)")
        let retrieved = report.nodes.filter { $0.role == .source && $0.state == .succeeded }.flatMap { node in
            report.output(of: node.node, as: Pool<Pebble>.self)?.items.map(\.itemID) ?? []
        }
        #expect(Set(report.ledger.lines.map(\.item)) == Set(retrieved), "seed \(seed)")
        guard case .success(let value) = report.outcome, let checked = value as? CheckedSelection<Pebble> else {
            return
        }
        #expect(Set(checked.standing.map(\.ranked.item.itemID)) == Set(report.ledger.items(.chosen)), "seed \(seed)")
        if report.nodes.allSatisfy({ $0.state == .succeeded }) {
            #expect(report.counts[.abandoned] == 0 || hasUnheapedSource(report), "seed \(seed)")
        }
    }

    /// A random graph may have a source that no heap takes: its items never had a way.
    private func hasUnheapedSource(_ report: RunReport) -> Bool {
        let taken = Set(report.plan.nodes.flatMap { $0.feeds.flatMap(\.nodes) })
        return report.plan.nodes.contains { $0.stage.role == .source && !taken.contains($0.index) }
    }

    @Test(arguments: UInt64(0)..<60) func `give equal bytes with any threads and in any order`(
        _ seed: UInt64
    ) async throws {
        let graph = RandomGraph(seed: seed, isTimed: false)
        let plan = try Self.plan(graph)
        var traces: [[UInt8]] = []
        for (threads, shuffle) in [(1, nil), (4, nil), (2, seed), (3, seed &+ 1)] as [(Int, UInt64?)] {
            // Moods count visits, so each run needs its own quarry.
            let bound = plan.bind(to: RandomGraph(seed: seed, isTimed: false).quarry)
            let runner = GraphRunner(executor: StageExecutor(threads: threads))
            let report = await runner.report(of: bound, options: RunOptions(seed: seed, shuffle: shuffle))
            guard case .success = report.outcome else {
                // Which of two required nodes failed first is a matter of time; that one failed is not.
                traces.append(Array("failed".utf8))
                continue
            }
            traces.append(report.trace.ndjson(measured: false))
        }
        #expect(Set(traces).count == 1, "seed \(seed)")
    }
}

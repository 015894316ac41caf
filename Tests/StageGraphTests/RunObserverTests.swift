import StageGraph
import Synchronization
import Testing
import Threads

@Suite struct `An observer of runs` {
    private final class Listener: RunObserver {
        private let heard = Mutex<[String]>([])
        private let reports = Mutex<[RunReport]>([])

        var events: [String] { heard.withLock { $0 } }
        var report: RunReport? { reports.withLock { $0.last } }

        func observe(_ event: RunObservation) {
            let line =
                switch event {
                case .began(let plan, let seed, let subject): "began \(plan.name) \(seed) \(subject)"
                case .started(let node, let attempt): "\(node) \(attempt)"
                case .ended(let node, let state): "\(node) \(state.rawValue)"
                case .finished: "finished"
                }
            heard.withLock { $0.append(line) }
            if case .finished(let report) = event { reports.withLock { $0.append(report) } }
        }
    }

    private func run(_ quarry: Quarry, _ patch: String = "{}", _ observers: [any RunObserver]) async throws -> RunReport
    {
        let runner = GraphRunner(executor: StageExecutor(threads: 2))
        let plan = try PebblePipeline.plan(patch).bind(to: quarry)
        return await runner.report(of: plan, options: RunOptions(seed: 4, subject: "v", observers: observers))
    }

    @Test func `hears that the run began, each node's start before its end, and the report once`() async throws {
        let listener = Listener()
        let report = try await run(Quarry(), "{}", [listener])
        let events = listener.events
        #expect(events.first == "began pebbles 4 v")
        #expect(events.count { $0 == "finished" } == 1)
        #expect(listener.report?.trace.ndjson() == report.trace.ndjson())
        for node in report.nodes where node.attempts > 0 {
            let start = try #require(events.firstIndex(of: "\(node.node) 1"))
            let end = try #require(events.firstIndex(of: "\(node.node) \(node.state.rawValue)"))
            #expect(start < end)
        }
    }

    @Test func `hears of every attempt and of a failure`() async throws {
        let listener = Listener()
        let patch = #"{ "nodes": { "north": { "policy": "optional", "retry": { "attempts": 3, "base": "1ms" } } } }"#
        _ = try await run(Quarry(moods: ["north": .fails(.provider, times: 9)]), patch, [listener])
        let events = listener.events.filter { $0.hasPrefix("north") }
        #expect(events == ["north 1", "north 2", "north 3", "north failed"])
    }

    @Test func `changes nothing, and any number of them hear the same`() async throws {
        let pair = [Listener(), Listener()]
        let watched = try await run(Quarry(), "{}", pair)
        let alone = try await run(Quarry(), "{}", [])
        #expect(watched.trace.ndjson(measured: false) == alone.trace.ndjson(measured: false))
        #expect(Set(pair[0].events) == Set(pair[1].events))
    }
}

/// Cancels a run as soon as it hears of a node.
struct Canceller: RunObserver {
    private let node: NodeID
    private let cancellation: RunCancellation

    init(at node: NodeID, _ cancellation: RunCancellation) {
        self.node = node
        self.cancellation = cancellation
    }

    func observe(_ event: RunObservation) {
        switch event {
        case .started(node, _), .ended(node, _): cancellation.cancel()
        default: break
        }
    }
}

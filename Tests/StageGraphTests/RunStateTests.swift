import JSONDocument
import Testing

@testable import StageGraph

/// The runner's logic, driven by hand: no threads, no clock.
@Suite struct `A run state` {
    private struct Bench {
        var state: RunState
        private(set) var actions: [RunAction] = []

        init(_ patch: String = "{}", deadline: Duration? = nil) throws {
            state = RunState(plan: try PebblePipeline.plan(patch), seed: 0, subject: "", deadline: deadline)
        }

        mutating func handle(_ event: RunEvent, at time: Duration) {
            actions = state.handle(event, at: time)
        }

        mutating func end(_ id: NodeID, _ failure: StageFailure? = nil, at time: Duration) throws {
            let index = try #require(state.plan[id]?.index)
            let outcome: Result<NodeBody.Product, StageFailure> =
                failure.map { .failure($0) } ?? .success(NodeBody.Product(value: 0))
            handle(
                .ended(
                    node: index,
                    attempt: state.nodes[index].attempts,
                    CallResult(outcome: outcome, logged: NodeLog.Contents())
                ),
                at: time
            )
        }

        var launched: [NodeID] {
            actions.compactMap { if case .launch(let node, _, _, _) = $0 { state.plan.nodes[node].id } else { nil } }
        }

        var givenUp: [NodeID] {
            actions.compactMap { if case .giveUp(let node) = $0 { state.plan.nodes[node].id } else { nil } }
        }

        func state(of id: NodeID) -> NodeState? { state.plan[id].flatMap { state.nodes[$0.index].state } }
    }

    private let outage = StageFailure(.provider, code: "http_503", "the provider is down")

    @Test func `starts what has no inputs and nothing else`() throws {
        var bench = try Bench()
        bench.handle(.begun, at: .zero)
        #expect(bench.launched == ["north", "south", "limit"] || Set(bench.launched) == ["limit", "north", "south"])
        #expect(bench.launched.count == 3)
    }

    @Test func `goes on without an optional node that failed`() throws {
        var bench = try Bench()
        bench.handle(.begun, at: .zero)
        try bench.end("north", outage, at: .milliseconds(1))
        #expect(bench.state(of: "north") == .failed)
        try bench.end("south", at: .milliseconds(2))
        #expect(bench.launched == ["heap"])
    }

    @Test func `fails with the class of the first failure when too few inputs come`() throws {
        var bench = try Bench()
        bench.handle(.begun, at: .zero)
        try bench.end("north", outage, at: .milliseconds(1))
        try bench.end("south", outage, at: .milliseconds(2))
        #expect(bench.state.isFinished)
        #expect(bench.state.failure?.failureClass == .provider)
        #expect(bench.state(of: "heap") == .skipped)
        #expect(bench.state(of: "limit") == .cancelled)
        #expect(bench.givenUp == ["limit"])
    }

    @Test func `lasts where every input is missing for a reason that lasts`() throws {
        let lasting = StageFailure(.provider, code: "refused", "the key is refused", isSettled: true, isLasting: true)
        let refused = lasting
        for (south, lasts) in [(refused, true), (outage, false)] {
            var bench = try Bench()
            bench.handle(.begun, at: .zero)
            try bench.end("north", refused, at: .milliseconds(1))
            try bench.end("south", south, at: .milliseconds(2))
            #expect(bench.state.failure?.isLasting == lasts)
        }
    }

    @Test func `sources that are out of their time are providers that did not answer, and each is named`() throws {
        let patch = #"{ "nodes": { "north": { "wait": "50ms" }, "south": { "life": "80ms" } } }"#
        var bench = try Bench(patch)
        bench.handle(.begun, at: .zero)
        bench.handle(.tick, at: .milliseconds(50))
        try bench.end("south", .deadlinePassed, at: .milliseconds(80))
        let failure = try #require(bench.state.failure)
        #expect(failure.failureClass == .provider && failure.code == StageFailure.inputMissing)
        #expect(failure.detail.contains("north (no result after 50ms, the time it is waited for)"))
        #expect(failure.detail.contains("south (no result after 80ms, the time it may live)"))
        #expect(bench.state.failedNode == bench.state.plan["heap"]?.index)
    }

    @Test func `what is no source keeps the class of its own time`() throws {
        var bench = try Bench(#"{ "nodes": { "heavy": { "life": "80ms" } } }"#)
        bench.handle(.begun, at: .zero)
        for id in ["limit", "north", "south", "heap"] as [NodeID] { try bench.end(id, at: .milliseconds(1)) }
        try bench.end("heavy", .deadlinePassed, at: .milliseconds(81))
        let failure = try #require(bench.state.failure)
        #expect(failure.isDeadline && bench.state.failedNode == bench.state.plan["heavy"]?.index)
        #expect(failure.detail == "no result after 80ms, the time it may live")
    }

    @Test func `fails when fewer than the minimum come`() throws {
        var bench = try Bench(#"{ "nodes": { "heap": { "minimum": { "pools": 2 } } } }"#)
        bench.handle(.begun, at: .zero)
        try bench.end("north", outage, at: .milliseconds(1))
        try bench.end("south", at: .milliseconds(2))
        #expect(bench.state.failure?.code == StageFailure.inputMissing)
    }

    @Test func `never lets a broken law fail open`() throws {
        var bench = try Bench()
        bench.handle(.begun, at: .zero)
        try bench.end("north", StageFailure(.stage, code: "broken_law", "lied"), at: .milliseconds(1))
        #expect(bench.state.isFinished)
        #expect(bench.state.failure?.failureClass == .stage)
    }

    /// Two fifths of the time left when it began are for those after it, who may have to wait for others in turn.
    @Test func `waits for no node so long that those after it have too little time`() throws {
        var bench = try Bench(#"{ "nodes": { "north": { "wait": "1500ms" } } }"#, deadline: .milliseconds(1_000))
        bench.handle(.begun, at: .milliseconds(200))
        try bench.end("south", at: .milliseconds(250))
        let north = try #require(bench.state.plan["north"]?.index)
        #expect(bench.state.waitEnd(of: north) == .milliseconds(680))
        bench.handle(.tick, at: .milliseconds(680))
        #expect(bench.givenUp == ["north"] && bench.launched == ["heap"] && !bench.state.isFinished)
        #expect(bench.state.nodes[north].failure?.detail.contains("no result after 480ms") == true)
    }

    @Test func `stops waiting after a node's wait and ignores what comes later`() throws {
        var bench = try Bench(#"{ "nodes": { "north": { "wait": "50ms" } } }"#)
        bench.handle(.begun, at: .zero)
        try bench.end("south", at: .milliseconds(2))
        #expect(bench.state.nextWake == .milliseconds(50))
        bench.handle(.tick, at: .milliseconds(50))
        #expect(bench.state(of: "north") == .timedOut)
        #expect(bench.launched == ["heap"])
        #expect(bench.givenUp == ["north"])
        try bench.end("north", at: .milliseconds(60))
        #expect(bench.state(of: "north") == .timedOut)
    }

    @Test func `retries a provider's failure inside its life and not a bad input`() throws {
        let patch = #"{ "nodes": { "north": { "retry": { "attempts": 3, "base": "10ms" }, "life": "1s" } } }"#
        var bench = try Bench(patch)
        bench.handle(.begun, at: .zero)
        try bench.end("north", outage, at: .milliseconds(5))
        #expect(bench.state(of: "north") == nil)
        let wake = try #require(bench.state.nextWake)
        #expect(wake <= .milliseconds(15))
        bench.handle(.tick, at: wake)
        #expect(bench.launched == ["north"])
        try bench.end("north", StageFailure(.data, code: "bad", "bad"), at: wake + .milliseconds(1))
        #expect(bench.state(of: "north") == .failed)
    }

    @Test func `does not try again what has been tried as often as may help`() throws {
        let patch = #"{ "nodes": { "north": { "retry": { "attempts": 3, "base": "10ms" }, "life": "1s" } } }"#
        var bench = try Bench(patch)
        bench.handle(.begun, at: .zero)
        let settled = StageFailure(.provider, code: "http_503", "the provider is down", isSettled: true)
        try bench.end("north", settled, at: .milliseconds(5))
        #expect(bench.state(of: "north") == .failed)
    }

    @Test func `does not start another call after the life is over`() throws {
        let patch = #"{ "nodes": { "north": { "retry": { "attempts": 3, "base": "1s" }, "life": "100ms" } } }"#
        var bench = try Bench(patch)
        bench.handle(.begun, at: .zero)
        try bench.end("north", outage, at: .milliseconds(99))
        #expect(bench.state(of: "north") == .failed)
    }

    @Test func `lets a substitute stand in and wakes it only then`() throws {
        let patch = #"{ "nodes": { "heavy": { "substitute": "heap" } } }"#
        var bench = try Bench(patch)
        bench.handle(.begun, at: .zero)
        for id in ["limit", "north", "south", "heap"] as [NodeID] { try bench.end(id, at: .milliseconds(1)) }
        #expect(bench.launched == ["heavy"])
        try bench.end("heavy", outage, at: .milliseconds(2))
        #expect(bench.state(of: "heavy") == .substituted)
        #expect(Set(bench.launched) == ["weight", "root"])
    }

    @Test func `wakes a lazy substitute with what feeds it`() throws {
        let patch = """
            { "nodes": { "heavy": { "substitute": "spare" } }, "add": [
                { "id": "spare-limit", "kind": "reader.limit" },
                { "id": "spare", "kind": "filter.heavy", "inputs": { "pool": "heap", "limit": "spare-limit" } } ] }
            """
        var bench = try Bench(patch)
        bench.handle(.begun, at: .zero)
        #expect(!bench.launched.contains("spare-limit"))
        for id in ["limit", "north", "south", "heap"] as [NodeID] { try bench.end(id, at: .milliseconds(1)) }
        try bench.end("heavy", outage, at: .milliseconds(2))
        #expect(bench.launched == ["spare-limit"])
        try bench.end("spare-limit", at: .milliseconds(3))
        #expect(bench.launched == ["spare"])
        try bench.end("spare", at: .milliseconds(4))
        #expect(bench.state(of: "heavy") == .substituted)
    }

    @Test func `ends at its deadline with those at work timed out`() throws {
        var bench = try Bench(deadline: .milliseconds(100))
        bench.handle(.begun, at: .zero)
        bench.handle(.tick, at: .milliseconds(100))
        #expect(bench.state.failure?.isDeadline == true)
        #expect(bench.state(of: "north") == .timedOut)
        #expect(bench.state(of: "heap") == .cancelled)
        #expect(Set(bench.givenUp) == ["limit", "north", "south"])
    }

    @Test func `ends at once when cancelled`() throws {
        var bench = try Bench()
        bench.handle(.begun, at: .zero)
        bench.handle(.cancelled, at: .milliseconds(1))
        #expect(bench.state.failure?.failureClass == .cancelled)
        #expect(bench.state.nodes.allSatisfy { $0.state == .cancelled })
        bench.handle(.tick, at: .seconds(1))
        #expect(bench.actions.isEmpty)
    }
}

import StageGraph
import TestSupport
import Testing

@testable import Threads

@Suite struct `A run's outcome` {
    private func run(
        _ moods: [NodeID: Quarry.Mood],
        _ patch: String = "{}",
        options: RunOptions = RunOptions()
    ) async throws -> RunReport {
        var quarry = Quarry()
        quarry.moods = moods
        defer { quarry.over.raise() }
        return try await PebblePipeline.run(patch, quarry, options: options)
    }

    @Test func `is degraded with the node and the failure when a source fails`() async throws {
        let report = try await run(["north": .fails(.provider, times: 9)])
        #expect(report.isDegraded)
        #expect(report.reasons.map(\.code) == ["provider_failed"])
        #expect(report.reasons.first?.node == "north")
        #expect(try report.result(as: CheckedSelection<Pebble>.self).standing.count == 3)
    }

    @Test func `is a provider's failure when all sources fail`() async throws {
        let report = try await run(["north": .fails(.provider, times: 9), "south": .fails(.provider, times: 9)])
        #expect(report.outcome.failure?.failureClass == .provider)
        #expect(report.failedNode == "heap")
    }

    @Test func `is complete when a retry helped`() async throws {
        let patch = #"{ "nodes": { "north": { "retry": { "attempts": 2, "base": "1ms" } } } }"#
        let report = try await run(["north": .fails(.provider, times: 1)], patch)
        #expect(report["north"]?.state == .succeeded)
        #expect(report["north"]?.attempts == 2)
        #expect(report.reasons.isEmpty)
        #expect(
            String(decoding: report.trace.ndjson(), as: UTF8.self).contains(
                #""event":"retried","node":"north","attempt":1"#
            )
        )
    }

    @Test func `names what stood in`() async throws {
        let report = try await run(
            ["heavy": .fails(.data, times: 9)],
            #"{ "nodes": { "heavy": { "substitute": "heap" } } }"#
        )
        #expect(report["heavy"]?.state == .substituted)
        #expect(report.reasons.first?.detail.hasSuffix("; heap stands in") == true)
        #expect(report.counts[.dropped] == 0)
    }

    @Test func `goes on without a source that is too slow and is not late itself`() async throws {
        let report = try await run(
            ["north": .stalls],
            #"{ "nodes": { "north": { "wait": "30ms" } } }"#
        )
        #expect(report["north"]?.state == .timedOut)
        #expect(report.isDegraded)
        #expect(report.elapsed >= .milliseconds(30))
    }

    @Test func `waits of next to nothing keep nobody from working`() async throws {
        for _ in 0..<50 {
            let report = try await run(
                [:],
                #"{ "nodes": { "north": { "wait": "0.001ms" }, "south": { "wait": "0.001ms" } } }"#
            )
            // Whether the sources were in time is a matter of luck; that the run goes on at once is not.
            #expect(report.outcome.failure?.isDeadline != true, "\(report.outcome)")
        }
    }

    @Test(arguments: [Quarry.Mood.stalls, .spins]) func `is a deadline's when a required node never ends`(
        _ mood: Quarry.Mood
    ) async throws {
        let report = try await run(["heavy": mood], options: RunOptions(deadline: .milliseconds(60)))
        #expect(report.outcome.failure?.isDeadline == true)
        #expect(report["heavy"]?.state == .timedOut)
        #expect(report["weight"]?.state == .cancelled)
    }

    @Test func `ends a life that is over although the run has time`() async throws {
        let report = try await run(
            ["weight": .spins],
            #"{ "nodes": { "weight": { "life": "30ms" } } }"#,
            options: RunOptions(deadline: LastResort.limit)
        )
        #expect(report["weight"]?.state == .timedOut)
        #expect(report.outcome.failure == nil)
    }

    @Test func `is cancelled from another thread within a moment`() async throws {
        let cancellation = RunCancellation()
        let report = try await run(
            ["heap": .stalls],
            options: RunOptions(
                observers: [Canceller(at: "heap", cancellation)],
                cancellation: cancellation
            )
        )
        #expect(report.outcome.failure?.failureClass == .cancelled)
        #expect(report["heap"]?.state == .cancelled)
    }

    @Test func `is cancelled before it begins`() async throws {
        let cancellation = RunCancellation()
        cancellation.cancel()
        let report = try await run([:], options: RunOptions(cancellation: cancellation))
        #expect(report.outcome.failure?.failureClass == .cancelled)
        #expect(report.nodes.allSatisfy { $0.attempts == 0 })
    }

    @Test func `is refused and not hung when no thread is left`() async throws {
        let executor = StageExecutor(threads: 1)
        executor.pool.shutDown()
        let bound = try PebblePipeline.plan().bind(to: Quarry())
        let report = await GraphRunner(executor: executor).report(of: bound)
        #expect(
            report.outcome.failure?.code == StageFailure.executorExhausted
                || report.outcome.failure?.code == StageFailure.inputMissing
        )
        #expect(report.outcome.failure?.failureClass == .platform)
    }

    @Test func `gives each node a seed of run, subject and name`() async throws {
        let plain = try await run([:], options: RunOptions(seed: 1, subject: "v"))
        let same = try await run([:], options: RunOptions(seed: 1, subject: "v"))
        let other = try await run([:], options: RunOptions(seed: 1, subject: "w"))
        let pools = [plain, same, other].map { $0.output(of: "north", as: Pool<Pebble>.self)?.items }
        #expect(pools[0] == pools[1])
        #expect(pools[0] != pools[2])
    }
}

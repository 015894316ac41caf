import Glibc
import StageGraph
import Synchronization
import TestSupport
import Testing

@testable import Threads

@Suite(.serialized) struct `A deadline scheduler` {
    private static let limit = Duration.milliseconds(60)

    private enum Stubbornness: CaseIterable, Sendable {
        case spins, blocks, ignoresCancellation, neverResumes

        /// Goes on until the gate opens, if it ever ends.
        @Sendable func work(until gate: Flag) async -> Int {
            switch self {
            case .spins: spin(until: gate)
            case .blocks: while !gate.isUp { usleep(1_000) }
            case .ignoresCancellation:
                while !gate.isUp {
                    // The error is the cancellation this work is written to ignore.
                    do { try await Task.sleep(for: .milliseconds(10)) } catch { usleep(10_000) }
                }
            case .neverResumes: unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
            return 1
        }
    }

    /// Runs work with the limit and measures when it was ended.
    private static func timed(
        _ scheduler: DeadlineScheduler,
        _ work: @escaping @Sendable () async -> Int
    ) async -> (Result<Int, StageFailure>, Duration) {
        let start = ContinuousClock.now
        return await withCheckedContinuation { continuation in
            scheduler.start(until: start + limit, work) { result in
                continuation.resume(returning: (result, start.duration(to: .now)))
            }
        }
    }

    @Test(arguments: Stubbornness.allCases) private func `ends by itself although the work is stubborn`(
        _ kind: Stubbornness
    ) async {
        let executor = StageExecutor(threads: 2)
        let scheduler = DeadlineScheduler(executor: executor)
        let gate = Flag()
        let (result, took) = await Self.timed(scheduler) { await kind.work(until: gate) }
        gate.raise()
        #expect(result.failure?.isDeadline == true)
        #expect(took >= Self.limit)
    }

    @Test func `ends more spinners than cores and still runs other work`() async {
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let executor = StageExecutor(threads: cores)
        let scheduler = DeadlineScheduler(executor: executor)
        let gate = Flag()
        // One waits behind the others in the queue: its deadline counts from the call, not from a free thread.
        let spinners = (0...cores).map { _ in
            Task {
                await Self.timed(scheduler) {
                    spin(until: gate)
                    return 0
                }
            }
        }
        for spinner in spinners { #expect(await spinner.value.0.failure?.isDeadline == true) }
        let other = await scheduler.run(within: LastResort.limit) { 7 }
        gate.raise()
        #expect(other == .success(7))
        #expect(executor.pool.losses >= 1)
    }

    @Test func `gives the result of work that is in time`() async {
        let scheduler = DeadlineScheduler(executor: StageExecutor(threads: 1))
        let result = await scheduler.run(within: LastResort.limit) { 42 }
        #expect(result == .success(42))
    }

    @Test func `ends at once when its caller is cancelled`() async {
        let scheduler = DeadlineScheduler(executor: StageExecutor(threads: 2))
        let task = Task {
            await scheduler.run(within: LastResort.limit) { await Stubbornness.neverResumes.work(until: Flag()) }
        }
        task.cancel()
        let result = await task.value
        #expect(result.failure?.failureClass == .cancelled)
    }

    @Test func `completes each of many racing calls exactly once`() async {
        let scheduler = DeadlineScheduler(executor: StageExecutor(threads: 2))
        let completions = Atomic(0)
        await withCheckedContinuation { continuation in
            let left = CountDown(from: 400) { continuation.resume() }
            for call in 0..<400 {
                // Deadlines and work end at about the same moment on purpose.
                scheduler.start(until: .now + .microseconds(call * 5)) {
                    call
                } completion: { _ in
                    completions.add(1, ordering: .relaxed)
                    left.step()
                }
            }
        }
        usleep(5_000)
        #expect(completions.load(ordering: .relaxed) == 400)
    }

    @Test func `refuses work once too many threads are lost and takes it again when they are back`() async {
        let executor = StageExecutor(threads: 1, lossLimit: 2)
        let scheduler = DeadlineScheduler(executor: executor)
        let gate = Flag()
        for _ in 0..<2 {
            // Each is given up while it occupies its thread, which it does until the gate opens.
            let begun = Flag()
            let call = scheduler.start(until: nil) {
                begun.raise()
                while !gate.isUp { usleep(1_000) }
            } completion: { _ in
            }
            while !begun.isUp { usleep(1_000) }
            call?.giveUp(StageFailure(.platform, code: StageFailure.deadline, "late"))
        }
        let refused = await scheduler.run(within: LastResort.limit) { 1 }
        gate.raise()
        #expect(refused.failure?.code == StageFailure.executorExhausted)
        #expect(executor.pool.losses == 2)
        while executor.pool.lostNow > 0 { usleep(1_000) }
        let taken = await scheduler.run(within: LastResort.limit) { 1 }
        #expect(taken == .success(1))
    }

    @Test func `lets work that was given up clean up after itself`() async throws {
        let scheduler = DeadlineScheduler(executor: StageExecutor(threads: 1))
        let cleaned = Flag()
        _ = await scheduler.run(within: .milliseconds(5)) {
            defer { cleaned.raise() }
            // The error is the cancellation this work waits for.
            do { try await Task.sleep(for: LastResort.limit * 2) } catch {}
        }
        try await LastResort.wait { cleaned.isUp }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

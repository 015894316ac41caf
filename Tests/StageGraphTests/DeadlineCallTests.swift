import Glibc
import TestSupport
import Testing

@testable import StageGraph
@testable import Threads

@Suite(.serialized) struct `A deadline call` {
    @Test func `is given up on time although it follows another on the same thread, which is then replaced`() async {
        let executor = StageExecutor(threads: 1)
        let keeper = DeadlineScheduler(executor: executor)
        let gate = Flag()
        let result: Result<Int, StageFailure> = await withCheckedContinuation { continuation in
            let first: DeadlineCall<Int>.Step? = keeper.prepare(until: nil, on: nil) {
                1
            } late: { _ in
            } ending: { _, lane in
                keeper.prepare(until: .now + .milliseconds(60), on: lane) {
                    while !gate.isUp { usleep(1_000) }
                    return 2
                } late: { _ in
                } ending: { result, _ in
                    continuation.resume(returning: result)
                    return nil
                }
            }
            if let first { first.call.begin(first.work) }
        }
        #expect(result.failure?.isDeadline == true)
        #expect(executor.pool.losses == 1)
        let other = await keeper.run(within: LastResort.limit) { 7 }
        #expect(other == .success(7))
        gate.raise()
    }

    @Test func `leaves its thread to the call that follows`() async {
        let keeper = DeadlineScheduler(executor: StageExecutor(threads: 4))
        let threads: (pthread_t, pthread_t) = await withCheckedContinuation { continuation in
            let first: DeadlineCall<pthread_t>.Step? = keeper.prepare(until: nil, on: nil) {
                pthread_self()
            } late: { _ in
            } ending: { before, lane in
                keeper.prepare(until: nil, on: lane) {
                    pthread_self()
                } late: { _ in
                } ending: { after, _ in
                    if case .success(let first) = before, case .success(let second) = after {
                        continuation.resume(returning: (first, second))
                    }
                    return nil
                }
            }
            if let first { first.call.begin(first.work) }
        }
        #expect(pthread_equal(threads.0, threads.1) != 0)
    }
}

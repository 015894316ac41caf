import Testing

@testable import PostgresClient

@Suite("A pool's rules")
struct PoolStateTests {
    private let start = ContinuousClock.now

    private func granted(_ answer: PoolState.Answer) throws -> PoolState.Grant {
        guard case .granted(let grant) = answer else {
            return try #require(nil as PoolState.Grant?, "nothing was granted")
        }
        return grant
    }

    @Test func `give a poisoned connection to nobody, and its place to the next`() throws {
        var state = PoolState(PoolSettings(limit: 1))
        let first = try granted(state.acquire(1, at: start).0)
        state.opened(first.slot, at: start, chance: 0)
        #expect(state.acquire(2, at: start).0 == .mustWait)
        let actions = state.release(first.slot, isUsable: false, at: start)
        #expect(actions == [.close(first.slot), .grant(.empty(first.slot + 1), to: 2)])
    }

    @Test func `serve who came first, and skip who has left`() throws {
        var state = PoolState(PoolSettings(limit: 1))
        let first = try granted(state.acquire(1, at: start).0)
        state.opened(first.slot, at: start, chance: 0)
        for waiter in 2...4 { #expect(state.acquire(UInt64(waiter), at: start).0 == .mustWait) }
        #expect(state.leave(2, at: start).isEmpty)
        #expect(state.release(first.slot, isUsable: true, at: start) == [.grant(.idle(first.slot), to: 3)])
        // Who leaves after the turn came gives it to the next.
        #expect(state.leave(3, at: start) == [.grant(.idle(first.slot), to: 4)])
    }

    @Test func `retire a connection after its lifetime, earlier by chance`() throws {
        var state = PoolState(PoolSettings(limit: 2, lifetime: .seconds(100), jitter: 0.5, idleTime: .seconds(1_000)))
        let early = try granted(state.acquire(1, at: start).0)
        let late = try granted(state.acquire(2, at: start).0)
        state.opened(early.slot, at: start, chance: 1)
        state.opened(late.slot, at: start, chance: 0)
        #expect(state.release(early.slot, isUsable: true, at: start).isEmpty)
        #expect(state.release(late.slot, isUsable: true, at: start).isEmpty)
        let (answer, actions) = state.acquire(3, at: start + .seconds(60))
        #expect(actions == [.close(early.slot)])
        #expect(answer == .granted(.idle(late.slot)))
        #expect(state.release(late.slot, isUsable: true, at: start + .seconds(101)) == [.close(late.slot)])
    }

    @Test func `close what has long been idle`() throws {
        var state = PoolState(PoolSettings(limit: 2, idleTime: .seconds(10)))
        let grant = try granted(state.acquire(1, at: start).0)
        state.opened(grant.slot, at: start, chance: 0)
        #expect(state.release(grant.slot, isUsable: true, at: start).isEmpty)
        let (answer, actions) = state.acquire(2, at: start + .seconds(11))
        #expect(actions == [.close(grant.slot)])
        #expect(answer == .granted(.empty(grant.slot + 1)))
    }

    @Test func `refuse everybody once closed, and drain`() throws {
        var state = PoolState(PoolSettings(limit: 1))
        let grant = try granted(state.acquire(1, at: start).0)
        state.opened(grant.slot, at: start, chance: 0)
        #expect(state.acquire(2, at: start).0 == .mustWait)
        #expect(state.close() == [.refuse(2)])
        #expect(state.acquire(3, at: start).0 == .closed)
        #expect(!state.isDrained)
        #expect(state.release(grant.slot, isUsable: true, at: start) == [.close(grant.slot)])
        #expect(state.isDrained)
    }

    @Test(arguments: [1, 2, 3, 7])
    func `hold on every path`(limit: Int) {
        for seed in UInt64(1)...40 {
            var walk = PoolWalk(limit: limit, seed: seed)
            for _ in 0..<400 { walk.step() }
            walk.finish()
            #expect(walk.faults.isEmpty, "limit \(limit), seed \(seed): \(walk.faults.prefix(3))")
        }
    }
}

import Synchronization
import TestSupport
import Testing
import Threads

@testable import HTTPClient

@Suite("The places of a service")
struct BulkheadTests {
    @Test func `are never more than there are, and whoever waits too long or gives up goes away`() async {
        let bulkhead = Bulkhead(places: 2, queue: 3, timers: DeadlineTimers())
        #expect(await bulkhead.enter(by: LastResort.end) == .entered)
        #expect(await bulkhead.enter(by: LastResort.end) == .entered)
        #expect(await bulkhead.enter(by: .now + .milliseconds(5)) == .late)
        let waiting = (0..<3).map { _ in Task { await bulkhead.enter(by: LastResort.end) } }
        while bulkhead.waiting < 3 { await Task.yield() }
        #expect(await bulkhead.enter(by: LastResort.end) == .full)
        waiting[0].cancel()
        #expect(await waiting[0].value == .cancelled)
        bulkhead.leave()
        bulkhead.leave()
        #expect(await waiting[1].value == .entered)
        #expect(await waiting[2].value == .entered)
        #expect(bulkhead.underWay == 2 && bulkhead.waiting == 0)
        bulkhead.leave()
        bulkhead.leave()
        #expect(bulkhead.underWay == 0)
    }

    /// How many are inside, and how many were at most.
    private final class Occupancy: Sendable {
        let inside = Atomic(0)
        let most = Atomic(0)
    }

    @Test func `hold under many who come, wait, give up and go`() async {
        let bulkhead = Bulkhead(places: 3, queue: 10, timers: DeadlineTimers())
        let seen = Occupancy()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let entry = await bulkhead.enter(by: .now + .milliseconds(number % 7))
                    guard entry == .entered else { return }
                    let now = seen.inside.add(1, ordering: .sequentiallyConsistent).newValue
                    seen.most.max(now, ordering: .sequentiallyConsistent)
                    await Task.yield()
                    seen.inside.subtract(1, ordering: .sequentiallyConsistent)
                    bulkhead.leave()
                }
                if number % 5 == 0 { await Task.yield() }
            }
            group.cancelAll()
        }
        #expect((1...3).contains(seen.most.load(ordering: .sequentiallyConsistent)))
        #expect(bulkhead.underWay == 0 && bulkhead.waiting == 0)
    }
}

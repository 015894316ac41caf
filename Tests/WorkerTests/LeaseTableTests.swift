import TestSupport
import Testing

@testable import Worker

@Suite struct `The leases that a worker trusts` {
    private static let start = ContinuousClock.now
    private static let claim = JobClaim(job: JobID("a"), token: "1")

    private static var table: LeaseTable {
        var table = LeaseTable(length: .seconds(60), margin: .seconds(5))
        table.hold([claim], askedAt: start)
        return table
    }

    @Test func `are trusted until a little before their end`() {
        #expect(Self.table.trusted(Self.claim, at: Self.start + .seconds(54)) == Self.start + .seconds(55))
        #expect(Self.table.trusted(Self.claim, at: Self.start + .seconds(55)) == nil)
    }

    @Test func `count from the question and not from the answer`() {
        var table = Self.table
        #expect(table.renew([Self.claim], held: [JobID("a")], askedAt: Self.start + .seconds(20)).isEmpty)
        #expect(table.trusted(Self.claim, at: Self.start + .seconds(74)) == Self.start + .seconds(75))
        #expect(table.trusted(Self.claim, at: Self.start + .seconds(75)) == nil)
    }

    @Test func `are lost where the queue does not know them any more`() {
        var table = Self.table
        #expect(table.renew([Self.claim], held: [], askedAt: Self.start) == [JobID("a")])
        #expect(table.trusted(Self.claim, at: Self.start) == nil)
        #expect(table.count == 0)
    }

    @Test func `are not lengthened for ever: what hangs is left to others`() {
        #expect(Self.table.claims(at: Self.start + .seconds(599)) == [Self.claim])
        #expect(Self.table.claims(at: Self.start + .seconds(600)) == [])
    }

    @Test func `of an earlier claim say nothing of a later one`() {
        var table = Self.table
        let later = JobClaim(job: JobID("a"), token: "2")
        table.hold([later], askedAt: Self.start)
        #expect(table.renew([Self.claim], held: [], askedAt: Self.start).isEmpty)
        table.drop(Self.claim)
        #expect(table.trusted(later, at: Self.start) != nil)
        #expect(table.trusted(Self.claim, at: Self.start) == nil)
    }
}

@Suite struct `How long a worker waits before it asks again` {
    private static var pace: PollPace { PollPace(shortest: .seconds(1), longest: .seconds(15)) }

    @Test func `doubles while nothing is due, and no further than its end`() {
        var pace = Self.pace
        let waits = (0..<6).map { _ in pace.idle(chance: 0.5) }
        #expect(waits == [1, 2, 4, 8, 15, 15].map { .seconds($0) })
    }

    @Test func `begins anew when something was found`() {
        var pace = Self.pace
        _ = pace.idle(chance: 0.5)
        _ = pace.failed(chance: 0.5)
        pace.found()
        #expect(pace.failures == 0)
        #expect(pace.idle(chance: 0.5) == .seconds(1))
    }

    @Test func `is a fifth longer or shorter by chance, and half where the queue failed`() {
        var pace = Self.pace
        #expect(pace.idle(chance: 0) == .milliseconds(800))
        #expect(pace.idle(chance: 1) == .milliseconds(2_400))
        #expect(pace.failed(chance: 0) == .seconds(2))
        #expect(pace.failed(chance: 1) == .seconds(12))
        #expect(pace.failures == 2)
    }
}

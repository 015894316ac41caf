import Foundation
import TestSupport
import Testing

@testable import HTTPClient

@Suite("The quota of a day")
struct QuotaLedgerTests {
    private static let day: Int64 = 86_400

    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private static var soon: ContinuousClock.Instant { LastResort.end }

    @Test func `is used up until the next day begins`() async throws {
        let ledger = QuotaLedger(at: scratch.file("yelp"), limit: 3)
        let now = 20_000 * Self.day + 80_000
        for left in [3, 2, 1] {
            #expect(try await ledger.left(at: now, by: Self.soon) == left)
            try await ledger.take(at: now, by: Self.soon)
        }
        await #expect(throws: QuotaLedger.Refusal.usedUp(for: .seconds(6_400))) {
            try await ledger.take(at: now, by: Self.soon)
        }
        try await ledger.take(at: now + 6_400, by: Self.soon)
        #expect(try await ledger.left(at: now + 6_400, by: Self.soon) == 2)
    }

    @Test func `gives nothing back where the clock is set back`() async throws {
        let ledger = QuotaLedger(at: scratch.file("yelp"), limit: 1)
        try await ledger.take(at: 5 * Self.day, by: Self.soon)
        await #expect(throws: QuotaLedger.Refusal.self) { try await ledger.take(at: 4 * Self.day, by: Self.soon) }
    }

    @Test func `is gone where the service says so`() async throws {
        let ledger = QuotaLedger(at: scratch.file("yelp"), limit: 100)
        try await ledger.exhaust(at: 7, for: .seconds(86_400), by: Self.soon)
        #expect(try await ledger.left(at: 7, by: Self.soon) == 0)
        await #expect(throws: QuotaLedger.Refusal.self) { try await ledger.take(at: 7, by: Self.soon) }
    }

    @Test func `is not gone for longer than the service says`() async throws {
        let ledger = QuotaLedger(at: scratch.file("yelp"), limit: 100)
        try await ledger.exhaust(at: 7, for: .seconds(3_600), by: Self.soon)
        #expect(try await ledger.left(at: 7, by: Self.soon) == 100)
    }

    @Test func `has a call again that was given back, in the same window only`() async throws {
        let ledger = QuotaLedger(at: scratch.file("yelp"), limit: 2)
        let first = try await ledger.take(at: 5 * Self.day, by: Self.soon)
        try await ledger.take(at: 5 * Self.day, by: Self.soon)
        try await ledger.giveBack(first, by: Self.soon)
        #expect(try await ledger.left(at: 5 * Self.day, by: Self.soon) == 1)
        try await ledger.take(at: 6 * Self.day, by: Self.soon)
        try await ledger.giveBack(first, by: Self.soon)
        #expect(try await ledger.left(at: 6 * Self.day, by: Self.soon) == 1)
    }

    @Test func `has nothing given back once the service says that nothing is left`() async throws {
        let ledger = QuotaLedger(at: scratch.file("yelp"), limit: 5)
        let receipt = try await ledger.take(at: 7, by: Self.soon)
        try await ledger.exhaust(at: 7, for: .seconds(86_400), by: Self.soon)
        try await ledger.giveBack(receipt, by: Self.soon)
        #expect(try await ledger.left(at: 7, by: Self.soon) == 0)
        await #expect(throws: QuotaLedger.Refusal.self) { try await ledger.take(at: 7, by: Self.soon) }
    }

    @Test func `counts on under a clock that was set back, and waits for no year that it was ahead by`() async throws {
        let path = scratch.file("yelp")
        let ledger = QuotaLedger(at: path, limit: 5)
        let now = 20_000 * Self.day
        try await ledger.take(at: now + Self.day, by: Self.soon)
        #expect(try await ledger.left(at: now, by: Self.soon) == 4)
        try await ledger.take(at: now + 4_000 * Self.day, by: Self.soon)
        let refusal = await #expect(throws: QuotaLedger.Refusal.self) { try await ledger.take(at: now, by: Self.soon) }
        guard case .broken(let why) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(why.contains(path) && why.contains("4000 days"), "\(why)")
        await #expect(throws: QuotaLedger.Refusal.self) { try await ledger.left(at: now, by: Self.soon) }
    }

    @Test(arguments: [
        "3\n", "knot.quota/1 x y\n", "knot.quota/1 5 -3\n", "knot.quota/1 9223372036854775807 9\n",
        "knot.quota/1 106751991167299 9\n", "knot.quota/1 -5 9\n", "\u{0}\u{0}", "{}",
    ])
    func `is not begun anew where the file holds something else`(text: String) async throws {
        let path = scratch.file("yelp")
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = await #expect(throws: QuotaLedger.Refusal.self) {
            try await QuotaLedger(at: path, limit: 9).take(at: 7, by: Self.soon)
        }
        guard case .broken = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
    }

    @Test func `waits for a file that another one holds until the deadline only`() async throws {
        let path = scratch.file("yelp")
        let holder = unsafe open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX) == 0)
        await #expect(throws: QuotaLedger.Refusal.busy) {
            try await QuotaLedger(at: path, limit: 9).take(at: 7, by: .now + .milliseconds(20))
        }
        flock(holder, LOCK_UN)
        try await QuotaLedger(at: path, limit: 9).take(at: 7, by: Self.soon)
    }

    /// Eight processes take what they can at the same time; together they get exactly what there is.
    @Test func `is never passed by eight processes that share it`() async throws {
        let folder = scratch.path
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [folder = folder as String, number = number as Int] in
                        try await QuotaLedgerTests.takeAll(folder, number)
                    }
                }
            }
        }
        let granted = try (0..<8).map { try String(contentsOfFile: "\(folder)/granted-\($0)", encoding: .utf8) }
        let counts = granted.compactMap { Int($0) }
        #expect(counts.count == 8)
        #expect(counts.reduce(0, +) == 500, "\(counts)")
    }

    private static func takeAll(_ folder: String, _ number: Int) async throws {
        try Data().write(to: URL(filePath: "\(folder)/ready-\(number)"))
        // All start together, as far as the machine allows; one that comes late takes what is left.
        let end = LastResort.end
        while ContinuousClock.now < end,
            try FileManager.default.contentsOfDirectory(atPath: folder).count(where: { $0.hasPrefix("ready-") }) < 8
        {
            try await Task.sleep(for: .milliseconds(5))
        }
        let ledger = QuotaLedger(at: "\(folder)/yelp", limit: 500)
        var granted = 0
        for _ in 0..<200 {
            do throws(QuotaLedger.Refusal) {
                // Each process gives back every third call that it gets; nothing of that is lost, nor made twice.
                let receipt = try await ledger.take(at: 100, by: LastResort.end)
                granted += 1
                if granted % 3 == 0, number % 2 == 0 {
                    try await ledger.giveBack(receipt, by: LastResort.end)
                    granted -= 1
                    try await ledger.take(at: 100, by: LastResort.end)
                    granted += 1
                }
            } catch {
                guard case .usedUp = error else { throw error }
            }
        }
        try Data(String(granted).utf8).write(to: URL(filePath: "\(folder)/granted-\(number)"))
    }
}

import Foundation
import KnotDomain
import Testing

@Suite struct ZoneRulesTests {
    private let directory = ZoneDirectory()
    static let names = [
        "America/New_York", "America/Chicago", "America/St_Johns", "Europe/London", "Europe/Dublin", "Europe/Berlin",
        "Asia/Tokyo", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Jerusalem", "Australia/Lord_Howe", "Australia/Adelaide",
        "Pacific/Apia", "Pacific/Chatham", "America/Sao_Paulo", "Africa/Casablanca", "Africa/Cairo",
        "Antarctica/Troll", "America/Santiago", "America/Nuuk", "Asia/Gaza", "Asia/Tehran", "UTC",
    ]

    private func local(_ text: String) throws -> LocalDateTime {
        let instant = try #require(Instant(iso8601: text + "Z"))
        return LocalDateTime(secondsSinceEpoch: Int(instant.secondsSinceEpoch))
    }

    @Test(arguments: names) func `has the offsets that Foundation has`(name: String) throws {
        let rules = try #require(directory.rules(named: name))
        let oracle = try #require(TimeZone(identifier: name))
        let seed: UInt64 = 5
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            // 1950 to 2037: further on Foundation does not follow every rule.
            let second = Int64.random(in: -631_152_000..<2_145_916_800, using: &generator)
            let expected = oracle.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
            let found = rules.offsetSeconds(at: Instant(millisecondsSinceEpoch: second * 1_000))
            guard found == expected else {
                Issue.record("\(name) at \(second) is \(found), Foundation says \(expected), seed \(seed)")
                return
            }
        }
    }

    @Test(arguments: names) func `finds the earliest moment of every local time`(name: String) throws {
        let rules = try #require(directory.rules(named: name))
        let seed: UInt64 = 6
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let second = Int64.random(in: 0..<4_102_444_800, using: &generator)
            let instant = Instant(millisecondsSinceEpoch: second * 1_000)
            let local = rules.local(at: instant)
            let found = rules.instant(of: local)
            guard found <= instant, rules.local(at: found) == local else {
                Issue.record("\(name): \(instant) shows \(local), which is found at \(found), seed \(seed)")
                return
            }
        }
    }

    @Test func `moves a skipped time forward by the gap`() throws {
        let rules = try #require(directory.rules(named: "America/New_York"))
        #expect(rules.instant(of: try local("2026-03-08T02:30:00")).iso8601 == "2026-03-08T07:30:00Z")
        let lordHowe = try #require(directory.rules(named: "Australia/Lord_Howe"))
        let moved = lordHowe.local(at: lordHowe.instant(of: try local("2026-10-04T02:10:00")))
        #expect(moved.description == "2026-10-04T02:40:00")
    }

    @Test func `takes the earlier of a time that comes twice`() throws {
        let rules = try #require(directory.rules(named: "America/New_York"))
        #expect(rules.instant(of: try local("2026-11-01T01:30:00")).iso8601 == "2026-11-01T05:30:00Z")
    }

    @Test func `moves a day that a zone left out to the next one`() throws {
        // Samoa had no 30 December 2011.
        let rules = try #require(directory.rules(named: "Pacific/Apia"))
        let moved = rules.local(at: rules.instant(of: try local("2011-12-30T12:00:00")))
        #expect(moved.description == "2011-12-31T12:00:00")
    }

    @Test func `follows the closing rule after the last transition`() throws {
        let rules = try #require(directory.rules(named: "America/Chicago"))
        #expect(rules.offsetSeconds(at: try #require(Instant(iso8601: "2400-07-01T12:00:00Z"))) == -18_000)
        #expect(rules.offsetSeconds(at: try #require(Instant(iso8601: "2400-01-01T12:00:00Z"))) == -21_600)
        #expect(rules.localDate(at: try #require(Instant(iso8601: "2400-03-01T03:00:00Z"))).description == "2400-02-29")
    }

    @Test func `answers at the ends of time`() throws {
        let rules = try #require(directory.rules(named: "Europe/Dublin"))
        for milliseconds in [Int64.min, Int64.max] {
            let instant = Instant(millisecondsSinceEpoch: milliseconds)
            #expect(abs(rules.offsetSeconds(at: instant)) < 90_000)
            #expect(!rules.local(at: instant).description.isEmpty)
        }
        #expect(ZoneRules.utc.offsetSeconds(at: Instant(millisecondsSinceEpoch: 0)) == 0)
    }
}

import KnotDomain
import Scheduling
import TestSupport
import Testing

@Suite("Allowed time")
struct AllowedTimeTests {
    private func allowed(
        _ zone: String = "America/New_York",
        _ window: SendWindow = .daytime,
        quiet: QuietHours = .none
    ) throws -> AllowedTime {
        AllowedTime(zone: try PlanScene.zone(zone).rules, window: window, quiet: quiet)
    }

    private func hours(_ allowed: AllowedTime, _ day: String) throws -> [String] {
        try allowed.spans(on: PlanScene.day(day)).map { span in
            func clock(_ second: Int) -> String {
                let local = allowed.zone.local(at: Instant(millisecondsSinceEpoch: Int64(second) * 1_000))
                return String(local.description.dropFirst(11).prefix(5))
            }
            return "\(clock(span.lowerBound))-\(clock(span.upperBound))"
        }
    }

    @Test func `has windows and quiet hours that make sense only`() {
        #expect(SendWindow(opens: 75_600, closes: 36_000) == nil)
        #expect(SendWindow(opens: 0, closes: 90_000) == nil)
        #expect(QuietHours(start: 24, end: 8) == nil)
        #expect(QuietHours(start: 8, end: -1) == nil)
    }

    struct Quiet: CustomTestStringConvertible {
        let start: Int
        let end: Int
        let expected: [String]
        var testDescription: String { "\(start) to \(end)" }
    }

    @Test(arguments: [
        Quiet(start: 22, end: 8, expected: ["10:00-21:00"]), Quiet(start: 5, end: 5, expected: ["10:00-21:00"]),
        Quiet(start: 20, end: 11, expected: ["11:00-20:00"]),
        Quiet(start: 12, end: 14, expected: ["10:00-12:00", "14:00-21:00"]),
        Quiet(start: 23, end: 20, expected: ["20:00-21:00"]), Quiet(start: 8, end: 22, expected: []),
        Quiet(start: 10, end: 21, expected: []), Quiet(start: 21, end: 10, expected: ["10:00-21:00"]),
        Quiet(start: 22, end: 0, expected: ["10:00-21:00"]), Quiet(start: 0, end: 12, expected: ["12:00-21:00"]),
    ])
    func `is the window without the quiet hours, also past midnight`(quiet: Quiet) throws {
        let allowed = try allowed(quiet: #require(QuietHours(start: quiet.start, end: quiet.end)))
        #expect(try hours(allowed, "2026-05-05") == quiet.expected)
        #expect(allowed.isNever == quiet.expected.isEmpty)
    }

    @Test func `is none on a day that does not exist`() throws {
        let samoa = try allowed("Pacific/Apia")
        #expect(try samoa.spans(on: PlanScene.day("2011-12-30")).isEmpty)
        #expect(try samoa.slot(on: PlanScene.day("2011-12-30"), key: 7) == nil)
        #expect(try hours(samoa, "2011-12-29") == ["10:00-21:00"])
        #expect(try hours(samoa, "2011-12-31") == ["10:00-21:00"])
        let evening = try PlanScene.moment("2011-12-30T08:30:00Z")
        #expect(samoa.zone.local(at: evening).description == "2011-12-29T22:30:00")
        let next = try #require(samoa.next(onOrAfter: evening))
        #expect(samoa.zone.local(at: next).description == "2011-12-31T10:00:00")
    }

    @Test(arguments: [
        ("Australia/Lord_Howe", "2026-10-04", 84_600), ("Australia/Lord_Howe", "2026-04-05", 88_200),
        ("America/New_York", "2026-03-08", 82_800), ("America/New_York", "2026-11-01", 90_000),
        ("Antarctica/Troll", "2026-03-29", 79_200), ("America/New_York", "2026-05-05", 86_400),
    ])
    func `has the seconds that the day really has`(zone: String, day: String, seconds: Int) throws {
        let whole = try allowed(zone, #require(SendWindow(opens: 0, closes: 86_400)))
        #expect(try whole.spans(on: PlanScene.day(day)).reduce(0) { $0 + $1.count } == seconds)
    }

    @Test func `begins after a gap and takes both passes of an hour that comes twice`() throws {
        let early = try allowed("America/New_York", #require(SendWindow(opens: 5_400, closes: 9_000)))
        #expect(try hours(early, "2026-03-08") == ["01:30-03:00"])
        #expect(try early.spans(on: PlanScene.day("2026-11-01")).map(\.count) == [1_800, 3_600])
    }

    @Test func `spreads keys over the window and stays clear of its end`() throws {
        let allowed = try allowed()
        let day = try PlanScene.day("2026-05-05")
        var perHour: [Int: Int] = [:]
        var random = SeededRandom(seed: 11)
        for _ in 0..<4_300 {
            let local = allowed.zone.local(at: try #require(allowed.slot(on: day, key: random.next())))
            #expect(local.date == day)
            #expect((36_000..<74_700).contains(local.secondOfDay))
            perHour[local.hour, default: 0] += 1
        }
        // 400 in each whole hour on average; a deviation of 100 is five standard deviations.
        for hour in 10..<20 { #expect((300...500).contains(perHour[hour] ?? 0), "\(hour): \(perHour)") }
    }

    @Test func `has the same slot for the same key, and a later one when that is over`() throws {
        let allowed = try allowed()
        let day = try PlanScene.day("2026-05-05")
        let slot = try #require(allowed.slot(on: day, key: 99))
        #expect(allowed.slot(on: day, key: 99, notBefore: slot) == slot)
        let after = try #require(allowed.slot(on: day, key: 99, notBefore: slot.adding(seconds: 1)))
        #expect(after > slot)
        #expect(allowed.contains(after))
        #expect(allowed.slot(on: day, key: 99, notBefore: try PlanScene.moment("2026-05-06T00:45:00Z")) == nil)
    }

    @Test func `holds exactly the moments at which the clock shows an allowed time of that day`() throws {
        let seed: UInt64 = 20_261_123
        var random = SeededRandom(seed: seed)
        let zones = try PlanScene.everyZone()
        for _ in 0..<60 {
            let zone = try #require(zones.randomElement(using: &random))
            // Half of the days are those of a change.
            let start = Int.random(in: 0..<4_000_000_000, using: &random)
            let spans = zone.rules.offsetSpans(in: start..<start + 40_000_000)
            let moment = Bool.random(using: &random) ? spans.last?.seconds.lowerBound ?? start : start
            let day = zone.rules.localDate(at: Instant(millisecondsSinceEpoch: Int64(moment) * 1_000))
            let quiet = try #require(
                QuietHours(start: Int.random(in: 0...23, using: &random), end: Int.random(in: 0...23, using: &random))
            )
            let window = try #require(
                SendWindow(opens: 1_800 * Int.random(in: 0...20, using: &random), closes: 75_600)
            )
            let allowed = AllowedTime(zone: zone.rules, window: window, quiet: quiet)
            let found = allowed.spans(on: day)
            let midnight = day.daysSinceEpoch * 86_400
            for second in stride(from: midnight - 100_000, to: midnight + 200_000, by: 443) {
                let instant = Instant(millisecondsSinceEpoch: Int64(second) * 1_000)
                let isIn = found.contains { $0.contains(second) }
                let local = zone.rules.local(at: instant)
                let hour = local.hour
                let isQuiet =
                    quiet.start <= quiet.end
                    ? quiet.start <= hour && hour < quiet.end : hour >= quiet.start || hour < quiet.end
                let isAllowed = local.secondOfDay >= window.opens && local.secondOfDay < window.closes && !isQuiet
                guard isIn == (isAllowed && local.date == day), allowed.contains(instant) == isAllowed else {
                    Issue.record("\(zone.name), \(local), quiet \(quiet), from \(window.opens): \(isIn), seed \(seed)")
                    return
                }
            }
        }
    }
}

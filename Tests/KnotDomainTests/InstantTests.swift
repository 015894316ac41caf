import Foundation
import KnotDomain
import Testing

@Suite struct InstantTests {
    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T17:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-03-01T24:00:00Z",
        "2026-03-01T17:60:00Z", "2026-03-01T17:00:61Z", "2026-03-01T17:00:00.Z", "2026-03-01T17:00:00+24:00",
        "2026-03-01T17:00:00+01:60", "2026-03-01T17:00:00Zz", " 2026-03-01T17:00:00Z", "26-03-01T17:00:00Z",
        "2026-03-01T17:00:00 UTC", "2026-03-01T1७:00:00Z", "2026-03-01T17:00:00Z\0",
        "9999-12-31T23:59:59-05:00", "9999-12-31T23:59:60Z", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00",
    ])
    func `refuses what names no moment`(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test func `does not read a long text to its end`() {
        #expect(Instant(iso8601: "2026-03-01T17:00:00." + String(repeating: "1", count: 1_000_000) + "Z") == nil)
    }

    @Test(arguments: [
        ("2026-03-01T17:00:00Z", 1_772_384_400_000), ("2026-03-01t17:00:00z", 1_772_384_400_000),
        ("2026-03-01T12:00:00-05:00", 1_772_384_400_000), ("2026-03-01T22:30+0530", 1_772_384_400_000),
        ("2026-03-01T18:00:00+01", 1_772_384_400_000), ("2026-03-01T17:00:00.25Z", 1_772_384_400_250),
        ("2026-03-01T17:00:00,123999Z", 1_772_384_400_123), ("1969-12-31T23:59:59.999Z", -1),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("0000-12-31T20:00:00-05:00", -62_135_593_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `reads offsets and fractions`(text: String, milliseconds: Int) {
        #expect(Instant(iso8601: text)?.millisecondsSinceEpoch == Int64(milliseconds))
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (250, "1970-01-01T00:00:00.25Z"),
        (7, "1970-01-01T00:00:00.007Z"), (-86_400_000, "1969-12-31T00:00:00Z"),
    ])
    func `writes a fraction only when it is not zero`(milliseconds: Int, text: String) {
        #expect(Instant(millisecondsSinceEpoch: Int64(milliseconds)).iso8601 == text)
    }

    @Test func `reads back what it writes, as Foundation does`() {
        let seed: UInt64 = 11
        var generator = SeededGenerator(seed: seed)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: -60_000_000_000_000...250_000_000_000_000, using: &generator)
            let instant = Instant(millisecondsSinceEpoch: milliseconds)
            #expect(Instant(iso8601: instant.iso8601) == instant, "seed \(seed)")
            let whole = Instant(millisecondsSinceEpoch: Int64(instant.secondsSinceEpoch) * 1_000)
            let date = formatter.date(from: whole.iso8601)
            // Foundation's formatter keeps the Julian calendar before 1582.
            guard milliseconds > -12_000_000_000_000 else { continue }
            #expect(date?.timeIntervalSince1970 == Double(whole.secondsSinceEpoch), "seed \(seed): \(whole)")
        }
    }

    @Test func `stops at the ends of time instead of trapping`() {
        let last = Instant(millisecondsSinceEpoch: .max)
        #expect(last.adding(seconds: .max) == last)
        #expect(Instant(millisecondsSinceEpoch: .min).adding(seconds: -1) == Instant(millisecondsSinceEpoch: .min))
        #expect(!last.iso8601.isEmpty)
    }
}

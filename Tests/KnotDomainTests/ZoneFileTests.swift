import Foundation
import KnotDomain
import Testing

/// Zone files that somebody has damaged, or written to do harm.
@Suite struct ZoneFileTests {
    private func big(_ value: Int64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    private func block(
        version: UInt8,
        width: Int,
        times: [Int64] = [],
        indexes: [UInt8]? = nil,
        offsets: [Int64] = [0],
        leaps: Int64 = 0,
        counts: [Int64]? = nil
    ) -> [UInt8] {
        let header = counts ?? [0, 0, leaps, Int64(times.count), Int64(offsets.count), 4]
        var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        bytes += header.flatMap { big($0, 4) }
        bytes += times.flatMap { big($0, width) }
        bytes += indexes ?? [UInt8](repeating: 0, count: times.count)
        bytes += offsets.flatMap { big($0, 4) + [0, 0] }
        bytes += Array("UTC\0".utf8)
        return bytes + [UInt8](repeating: 0, count: Int(leaps) * (width + 4))
    }

    private func file(
        times: [Int64] = [],
        indexes: [UInt8]? = nil,
        offsets: [Int64] = [0],
        leaps: Int64 = 0,
        footer: String = "\n\n"
    ) -> [UInt8] {
        block(version: 0x32, width: 4)
            + block(version: 0x32, width: 8, times: times, indexes: indexes, offsets: offsets, leaps: leaps)
            + Array(footer.utf8)
    }

    private func code(_ bytes: [UInt8]) -> ZoneError.Code? {
        do throws(ZoneError) {
            _ = try ZoneRules(tzif: bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `names what is wrong`() {
        #expect(code([]) == .notTZif)
        #expect(code(Array("TZif2".utf8)) == .truncated)
        #expect(code(Array("<!DOCTYPE html><html></html>".utf8)) == .notTZif)
        #expect(code(file(times: [5, 5])) == .badTransition)
        #expect(code(file(times: [5], indexes: [7])) == .badTransition)
        #expect(code(file(offsets: [100_000])) == .badOffset)
        #expect(code(file(offsets: [])) == .inconsistentCounts)
        #expect(code(file(leaps: 1)) == .leapSeconds)
        #expect(code(file(footer: "")) == .truncated)
        #expect(code(file(footer: "\nUTC0")) == .truncated)
        #expect(code(block(version: 0, width: 4, counts: [0, 0, 0, 0xFFFF_FFFF, 1, 4])) == .truncated)
        #expect(code(file()) == nil)
        #expect(code(block(version: 0, width: 4, times: [-5, 9])) == nil)
    }

    @Test(arguments: [
        "X0", "UTC", "UTC25", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
        "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J300", "EST5EDT,J366,J300", "EST5EDT,366,3", "EST5EDT,M3.2.0/168,M11.1.0",
        "<EST5EDT", "<>5", "EST5EDT,M3.2.0,M11.1.0,", "EST5EDT,M3.2.0,M11.1.0x", "EST99999999999999999999",
    ])
    func `refuses a closing rule that means nothing`(rule: String) {
        #expect(code(file(footer: "\n\(rule)\n")) == .badRule)
    }

    @Test(arguments: [
        ("EST5", "2026-07-01T00:00:00Z", -18_000), ("EST5EDT,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -14_400),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18_000),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14_400),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", -18_000),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3_600),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01T00:00:00Z", 0),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-01-15T00:00:00Z", 46_800),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-12-15T00:00:00Z", 46_800),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-07-15T00:00:00Z", 43_200),
        // Summer all year, as RFC 9636 writes it.
        ("ART3EDT4,0/0,J365/23", "2027-01-01T04:00:00Z", -14_400),
        ("ART3EDT4,0/0,J365/23", "2026-06-01T00:00:00Z", -14_400),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
        ("AAA0BBB,J60,J61", "2028-03-01T02:00:00Z", 3_600), ("AAA0BBB,59,60/3", "2028-02-29T02:00:00Z", 3_600),
    ])
    func `follows a closing rule`(rule: String, moment: String, offset: Int) throws {
        let rules = try ZoneRules(tzif: file(footer: "\n\(rule)\n"))
        #expect(rules.offsetSeconds(at: try #require(Instant(iso8601: moment))) == offset)
    }

    @Test func `reads or refuses every truncation and thousands of damaged copies`() throws {
        let data = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Dublin"))
        let original = [UInt8](data)
        let moments = [Int64.min, -5_000_000_000_000, 0, 1_700_000_000_000, 9_000_000_000_000, Int64.max]
        func use(_ bytes: [UInt8]) -> Bool {
            do throws(ZoneError) {
                let rules = try ZoneRules(tzif: bytes)
                for moment in moments {
                    let local = rules.local(at: Instant(millisecondsSinceEpoch: moment))
                    _ = rules.instant(of: local)
                }
                return true
            } catch {
                return false
            }
        }
        for length in 0..<original.count { #expect(!use(Array(original[..<length]))) }
        let seed: UInt64 = 77
        var generator = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<5_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if use(bytes) { read += 1 }
        }
        #expect((1..<5_000).contains(read), "seed \(seed)")
    }
}

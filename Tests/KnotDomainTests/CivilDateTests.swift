import Foundation
import KnotDomain
import Testing

@Suite struct CivilDateTests {
    @Test(arguments: [
        "", "2026-02-29", "2026-00-10", "2026-1-1", "2026-04-31", "2026-03-15T", "+2026-03-15", "2026/03/15",
        "20260315",
    ])
    func `refuses what is no day`(text: String) {
        #expect(CivilDate(iso8601: text) == nil)
    }

    @Test func `counts and names the same days as Foundation, one after another`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // 1900-01-01 to 2199-12-31.
        for days in -25_567..<84_006 {
            let date = CivilDate(daysSinceEpoch: days)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday],
                from: Date(timeIntervalSince1970: Double(days) * 86_400)
            )
            // Foundation counts weekdays from Sunday.
            let weekday = ((parts.weekday ?? 0) + 5) % 7 + 1
            guard date.year == parts.year, date.month == parts.month, date.day == parts.day,
                date.weekday.rawValue == weekday, date.daysSinceEpoch == days,
                CivilDate(iso8601: date.description) == date
            else {
                Issue.record("day \(days) is \(date) \(date.weekday), but Foundation says \(parts)")
                return
            }
        }
    }

    @Test func `adds days beyond all calendars without trapping`() throws {
        let date = try #require(CivilDate(iso8601: "2026-03-15"))
        #expect(date.adding(days: .max) > date)
        #expect(date.adding(days: .min) < date)
        #expect(date.adding(days: 17).description == "2026-04-01")
        #expect(date.days(until: date.adding(days: -20)) == -20)
    }

    @Test func `finds the nth and the last weekday by counting`() {
        for year in 1990...2060 {
            for month in 1...12 {
                let days = (1...CivilDate.length(ofMonth: month, year: year)).compactMap {
                    CivilDate(year: year, month: month, day: $0)
                }
                for weekday in Weekday.allCases {
                    let matching = days.filter { $0.weekday == weekday }
                    let found = (1...6).map { CivilDate.nth($0, weekday, month: month, year: year) }
                    #expect(found.compactMap(\.self) == matching)
                    #expect(CivilDate.last(weekday, month: month, year: year) == matching.last)
                }
            }
        }
        #expect(CivilDate.nth(0, .monday, month: 1, year: 2026) == nil)
        #expect(CivilDate.last(.monday, month: 13, year: 2026) == nil)
    }

    /// Gauss's way by golden number, century and epact, as Knuth gives it: nothing in common with the tested formula.
    private func knuthEaster(_ year: Int) -> CivilDate? {
        let golden = year % 19 + 1
        let century = year / 100 + 1
        let skipped = 3 * century / 4 - 12
        let moon = (8 * century + 5) / 25 - 5
        let sunday = 5 * year / 4 - skipped - 10
        var epact = (11 * golden + 20 + moon - skipped) % 30
        if epact < 0 { epact += 30 }
        if epact == 25 && golden > 11 || epact == 24 { epact += 1 }
        var day = 44 - epact
        if day < 21 { day += 30 }
        day += 7 - (sunday + day) % 7
        return CivilDate(year: year, month: 3, day: 1)?.adding(days: day - 1)
    }

    @Test func `agrees with Knuth on every Easter from 1583 to 9999`() {
        for year in 1_583...9_999 {
            let easter = CivilDate.easter(year: year)
            #expect(easter == knuthEaster(year))
            #expect(easter.weekday == .sunday)
        }
    }

    @Test(arguments: [
        (2024, "2024-05-05"), (2025, "2025-04-20"), (2026, "2026-04-12"), (2027, "2027-05-02"), (2028, "2028-04-16"),
    ])
    func `knows the Orthodox Easter`(year: Int, day: String) {
        #expect(CivilDate.orthodoxEaster(year: year).description == day)
    }

    @Test func `writes a day for people`() throws {
        #expect(try #require(CivilDate(iso8601: "2026-03-15")).dayAndMonth == "15 March")
    }
}

import KnotDomain
import Testing

@Suite struct MilestoneCalendarTests {
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

    private func occurrence(
        _ name: String,
        _ stored: String,
        from date: String,
        country: String? = "US",
        kind: Milestone.Kind = .holiday,
        recurrence: Milestone.Recurrence = .yearly
    ) throws -> Occurrence {
        let milestone = Milestone(
            id: MilestoneID("m"),
            kind: kind,
            name: name,
            date: try day(stored),
            recurrence: recurrence,
            tier: .minorOccasion
        )
        return MilestoneCalendar.occurrence(of: milestone, onOrAfter: try day(date), country: country)
    }

    @Test func `has no day for a one-time milestone that is over`() throws {
        let past = try occurrence("Trip", "2026-03-14", from: "2026-03-15", recurrence: .oneTime)
        #expect(past == .past(try day("2026-03-14")))
        #expect(past.date == nil)
    }

    @Test func `keeps the real day of a one-time holiday`() throws {
        let found = try occurrence("Mother's Day", "2026-06-01", from: "2026-05-01", recurrence: .oneTime)
        #expect(found == .on(try day("2026-06-01"), .stored))
    }

    @Test func `says that nobody knows the day beyond a table`() throws {
        let unknown = try occurrence("Diwali", "2000-11-08", from: "2028-10-18")
        #expect(unknown == .unknown(.diwali, validThrough: 2028))
        #expect(try occurrence("Diwali", "2000-11-08", from: "2031-01-01").date == nil)
        #expect(try occurrence("Eid al-Fitr", "2000-03-20", from: "2019-01-01").date == nil)
    }

    @Test(arguments: [
        ("2026-03-14", "2026-03-15"), ("2026-03-15", "2026-03-15"), ("2026-03-16", "2027-03-15"),
        ("2026-12-31", "2027-03-15"),
    ])
    func `counts today and rolls over to the next year`(from: String, expected: String) throws {
        #expect(try occurrence("Birthday", "2000-03-15", from: from, kind: .birthday).date == day(expected))
    }

    @Test(arguments: [
        ("2026-02-28", "2026-02-28"), ("2026-03-01", "2027-02-28"), ("2028-02-28", "2028-02-29"),
        ("2028-02-29", "2028-02-29"), ("2027-03-01", "2028-02-29"), ("2099-06-01", "2100-02-28"),
    ])
    func `observes 29 February on the 28th in other years`(from: String, expected: String) throws {
        let found = try occurrence("Anniversary", "2000-02-29", from: from, kind: .anniversary)
        let date = try day(expected)
        #expect(found == .on(date, date.day == 29 ? .stored : .leapDay))
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let country: String?
        let from: String
        let expected: String
        var testDescription: String { "\(name) in \(country ?? "no country") from \(from)" }

        init(_ name: String, _ country: String?, _ from: String, _ expected: String) {
            self.name = name
            self.country = country
            self.from = from
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case("Mother's Day", "US", "2026-05-10", "2026-05-10"), Case("Mother's Day", "US", "2026-05-11", "2027-05-09"),
        Case("Mother's Day", "GB", "2026-01-01", "2026-03-15"), Case("Mother’s Day", "IE", "2027-01-01", "2027-03-07"),
        Case("Mothering Sunday", "US", "2026-01-01", "2026-03-15"),
        Case("Mother's Day", nil, "2026-01-01", "2026-05-10"),
        Case("Mother's Day", "FR", "2026-01-01", "2026-05-31"), Case("Mother's Day", "FR", "2023-01-01", "2023-06-04"),
        Case("Mother's Day", "NO", "2026-01-01", "2026-02-08"), Case("Mother's Day", "ES", "2026-01-01", "2026-05-03"),
        Case("Mother's Day", "MX", "2026-01-01", "2026-05-10"), Case("Mother's Day", "ca", "2026-01-01", "2026-05-10"),
        Case("Father's Day", "US", "2026-01-01", "2026-06-21"), Case("Father's Day", "AU", "2026-01-01", "2026-09-06"),
        Case("Father's Day", "DE", "2026-01-01", "2026-05-14"), Case("Father's Day", "IT", "2026-04-01", "2027-03-19"),
        Case("Thanksgiving", "US", "2026-01-01", "2026-11-26"), Case("Thanksgiving", "CA", "2026-01-01", "2026-10-12"),
        Case("Canadian Thanksgiving", "US", "2026-01-01", "2026-10-12"),
        Case("Easter", "US", "2026-04-06", "2027-03-28"),
        Case("Easter", "GR", "2026-01-01", "2026-04-12"), Case("Orthodox Easter", "US", "2026-01-01", "2026-04-12"),
        Case("Hanukkah", "US", "2026-01-01", "2026-12-04"), Case("Deepavali", "SG", "2026-01-01", "2026-11-08"),
        Case("Lunar New Year", "CN", "2026-02-18", "2027-02-06"), Case("Eid al-Adha", "AE", "2026-01-01", "2026-05-27"),
    ])
    func `works out holidays that move by name and country`(testCase: Case) throws {
        let found = try occurrence(testCase.name, "2000-01-02", from: testCase.from, country: testCase.country)
        #expect(found.date == (try day(testCase.expected)))
    }

    @Test func `falls back on the stored day where no rule matches`() throws {
        #expect(
            try occurrence("Thanksgiving", "2000-11-23", from: "2026-01-01", country: "NL").date == day("2026-11-23")
        )
        #expect(try occurrence("Christmas", "2000-12-24", from: "2026-01-01").date == day("2026-12-24"))
        #expect(try occurrence("Nowruz", "2000-03-20", from: "2026-01-01").date == day("2026-03-20"))
    }

    @Test(arguments: [
        ("Easter Island trip", "2000-07-14"), ("Our Diwali wedding", "2000-11-19"),
        ("Met on Mother's Day", "2000-05-12"),
        ("First Thanksgiving together", "2000-11-20"), ("Lunar New Year party 2019", "2000-02-05"),
        ("Easter US road trip", "2000-04-02"),
    ])
    func `keeps the date of a custom day whose name only mentions a holiday`(name: String, stored: String) throws {
        let given = try day(stored)
        for year in 2026...2028 {
            let found = try occurrence(name, stored, from: "\(year)-01-01", kind: .custom).date
            #expect(found == CivilDate(year: year, month: given.month, day: given.day))
        }
    }

    @Test(arguments: [
        ("Mother\u{2019}s Day", "2026-05-10"), ("EASTER", "2026-04-05"), ("Diwali", "2026-11-08"),
        ("UK Mother's Day", "2026-03-15"), ("Orthodox Easter", "2026-04-12"), ("Canadian Thanksgiving", "2026-10-12"),
    ])
    func `moves a custom day whose whole name is a holiday's`(name: String, expected: String) throws {
        #expect(try occurrence(name, "2000-01-02", from: "2026-01-01", kind: .custom).date == day(expected))
    }

    @Test func `lets a birthday keep its day whatever its name`() throws {
        let found = try occurrence("Mother's Day baby", "2000-05-10", from: "2027-01-01", kind: .birthday)
        #expect(found.date == (try day("2027-05-10")))
    }

    @Test func `always finds a yearly day within two years, on or after the asked one`() {
        let seed: UInt64 = 3
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let name = ["Mother's Day", "Easter", "Thanksgiving", "Anything"].randomElement(using: &generator) ?? ""
            let milestone = Milestone(
                id: MilestoneID("m"),
                kind: .holiday,
                name: name,
                date: CivilDate(daysSinceEpoch: Int.random(in: 10_957..<11_323, using: &generator)),
                recurrence: .yearly,
                tier: .minorOccasion
            )
            let date = CivilDate(daysSinceEpoch: Int.random(in: 0...60_000, using: &generator))
            let country = ["US", "GB", "CA", "FR", nil, "GR"].randomElement(using: &generator) ?? nil
            let found = MilestoneCalendar.occurrence(of: milestone, onOrAfter: date, country: country).date
            let wait = found.map { date.days(until: $0) } ?? -1
            guard (0...400).contains(wait) else {
                Issue.record("\(name) in \(country ?? "-") on or after \(date) is \(found as Any), seed \(seed)")
                return
            }
        }
    }
}

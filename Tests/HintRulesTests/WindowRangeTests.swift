import KnotDomain
import Testing

@testable import HintRules
@testable import TextReading

/// A range from one day to another holds every day between them and no other, wherever a month, a week or a year ends.
@Suite("A stated range") struct WindowRangeTests {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    /// Every day of a leap year, by month and day.
    private static let year: [CivilDate] = (0..<366).compactMap {
        CivilDate(year: 2028, month: 1, day: 1)?.adding(days: $0)
    }

    private static func ordinal(_ day: Int) -> String {
        let isTeen = (11...13).contains(day)
        return "\(day)\(isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][day % 10] ?? "th")"
    }

    /// The ways a from and a to are joined.
    private static func joined(_ first: String, _ last: String) -> [String] {
        [
            "\(first) to \(last)", "\(first) through \(last)", "\(first) until \(last)", "\(first) till \(last)",
            "\(first) thru \(last)", "from \(first) to \(last)", "from \(first) until \(last)", "\(first)-\(last)",
            "\(first) - \(last)", "\(first)–\(last)", "\(first) – \(last)", "between \(first) and \(last)",
            "\(first) up to \(last)", "\(first) through to \(last)",
        ]
    }

    /// The ways a day of the year is written.
    private static func written(_ day: CivilDate) -> [String] {
        let month = months[day.month - 1]
        let short = String(month.prefix(3))
        return [
            "\(day.day) \(month)", "\(month) \(day.day)", "\(ordinal(day.day)) \(month)", "\(short) \(day.day)",
            "the \(ordinal(day.day)) of \(month)", "\(month) the \(ordinal(day.day))",
            "\(day.day) \(short.lowercased())",
            "\(short). \(day.day)", "\(weekdays[day.weekday.rawValue - 1]) \(day.day) \(month)",
            "\(weekdays[day.weekday.rawValue - 1]), \(month) \(day.day), 2028",
        ]
    }

    private static func ruledOut(_ limit: String, hour: Int = 19, on days: [CivilDate] = year) -> [CivilDate] {
        let windows = StatedWindow.windows(in: limit)
        return days.filter { day in
            guard let start = LocalDateTime(date: day, hour: hour, minute: 0) else { return false }
            return windows.contains { $0.rulesOut(start) }
        }
    }

    private static func stretch(_ first: Int, _ last: Int) -> [CivilDate] {
        year.indices.filter { first <= last ? (first...last).contains($0) : $0 >= first || $0 <= last }.map { year[$0] }
    }

    private static func pairs(_ count: Int, seed: UInt64) -> [(first: Int, last: Int)] {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let near = (0..<count).map { _ in
            let first = next(366)
            return (first: first, last: (first + 1 + next(12)) % 366)
        }
        return near + (0..<count / 4).map { _ in (first: next(366), last: next(366)) }
    }

    @Test func `of days holds each day from the first to the last, in every way of writing it`() {
        let seed: UInt64 = 0xDA7E5
        for (first, last) in Self.pairs(160, seed: seed) {
            let expected = Self.stretch(first, last)
            for (form, (from, to)) in zip(Self.written(Self.year[first]), Self.written(Self.year[last])).enumerated() {
                let all = Self.joined(from, to)
                let range = all[(first + form) % all.count]
                let away = Self.ruledOut("away \(range)")
                #expect(away == expected, "seed \(seed): away \(range)")
                let only = Self.ruledOut("only free \(range)")
                #expect(only == Self.year.filter { !expected.contains($0) }, "seed \(seed): only free \(range)")
            }
        }
    }

    @Test func `over the end of the year is the same in every way of joining it`() throws {
        let first = try #require(Self.year.firstIndex { $0.month == 12 && $0.day == 30 })
        let last = try #require(Self.year.firstIndex { $0.month == 1 && $0.day == 2 })
        let expected = Self.stretch(first, last)
        #expect(expected.count == 4)
        for (from, to) in zip(Self.written(Self.year[first]), Self.written(Self.year[last])) {
            for range in Self.joined(from, to) {
                #expect(Self.ruledOut("she is away \(range)") == expected, "\(range)")
                #expect(Self.ruledOut("free \(range) only").count == 362, "\(range)")
            }
        }
        for range in ["30 to 2 January", "December 30 to 2", "30-2 January", "Dec 30th through 2nd"] {
            #expect(Self.ruledOut("away \(range)") == expected, "\(range)")
        }
    }

    @Test func `of days of any month goes over its end`() {
        for first in 1...31 {
            for last in 1...31 where last != first {
                let expected = Self.year.filter {
                    first < last ? (first...last).contains($0.day) : $0.day >= first || $0.day <= last
                }
                let all = Self.joined("the \(Self.ordinal(first))", "the \(Self.ordinal(last))")
                let range = all[(first * 31 + last) % all.count]
                #expect(Self.ruledOut("away \(range)") == expected, "\(range)")
            }
        }
        let weekend = Self.ruledOut("away from Friday 30th to Monday 2nd").map(\.day)
        #expect(Set(weekend) == [30, 31, 1, 2])
    }

    @Test func `of weekdays goes over the end of the week`() {
        for (first, from) in Self.weekdays.enumerated() {
            for (last, to) in Self.weekdays.enumerated() where first != last {
                let expected = Set((0...((last - first + 7) % 7)).map { (first + $0) % 7 + 1 })
                let forms = [(from, to), (from + "s", to + "s"), (String(from.prefix(3)), String(to.prefix(3)))]
                for (one, other) in forms {
                    for range in Self.joined(one, other) {
                        let found = Set(Self.ruledOut("works \(range)").map(\.weekday.rawValue))
                        #expect(found == expected, "works \(range)")
                        let only = Set(Self.ruledOut("only free \(range)").map(\.weekday.rawValue))
                        #expect(only == Set(1...7).subtracting(expected), "only free \(range)")
                    }
                }
            }
        }
    }

    @Test func `that says when it begins and ends holds the days between whole`() throws {
        // 2028-01-07 is a Friday.
        let days = Array(Self.year[6...9])
        let limits = [
            "away from Friday evening to Monday morning", "away Friday 6 pm until Monday 9 am",
            "away 7 January evening to 10 January morning", "away the 7th evening to the 10th morning",
        ]
        for limit in limits {
            #expect(Self.ruledOut(limit, hour: 13, on: days).map(\.day) == [8, 9], "\(limit)")
            #expect(Self.ruledOut(limit, hour: 20, on: days).map(\.day) == [7, 8, 9], "\(limit)")
            #expect(Self.ruledOut(limit, hour: 8, on: days).map(\.day) == [8, 9, 10], "\(limit)")
        }
    }

    @Test(arguments: [
        "works Friday from 10 pm to 6 am", "works Friday from ten pm until six", "night shift Friday from 22 to 6",
    ])
    func `of hours goes over midnight`(limit: String) {
        let days = Array(Self.year[6...8])
        #expect(Self.ruledOut(limit, hour: 23, on: days).map(\.day) == [7])
        #expect(Self.ruledOut(limit, hour: 3, on: days).map(\.day) == [8])
        #expect(Self.ruledOut(limit, hour: 9, on: days).isEmpty)
        #expect(Self.ruledOut(limit, hour: 20, on: days).isEmpty)
    }

    @Test(arguments: [
        "works 19 December from 10 to 4", "gig 19 December 5 pm", "works December 19 at 5",
        "works 12 hours on December 19", "busy 19 December, 3 tickets left",
    ])
    func `is not made of a day and an hour`(limit: String) {
        #expect(
            Set(Self.year.filter { day in Self.ruledOut(limit, hour: 17, on: [day]).count == 1 }.map(\.day)) == [19]
                || Set(Self.ruledOut(limit, hour: 11).map(\.day)) == [19],
            "\(limit)"
        )
    }

    @Test func `of two days that are merely named holds these two`() {
        #expect(Self.ruledOut("away 3 October and 5 October").map(\.day) == [3, 5])
        #expect(Self.ruledOut("busy 19 and 22 December").map(\.day) == [19, 22])
    }

    @Test(arguments: [
        "She's away from 30 December to 2 January", "away 30 Dec – 2 Jan at her sister's",
        "he's going to be away at his mother's old place by the sea from Dec. 30 through Jan. 2",
        "they're away between the 30th of December and the 2nd of January",
    ])
    func `in a hint reaches the rules' limits whole`(text: String) throws {
        let reading = ReadingCase().read([text])
        let limits = try #require(reading.hints.first).limits
        let found = limits.flatMap { Self.ruledOut($0) }.map { [$0.month, $0.day] }
        #expect(Set(found) == [[12, 30], [12, 31], [1, 1], [1, 2]], "\(limits)")
    }
}

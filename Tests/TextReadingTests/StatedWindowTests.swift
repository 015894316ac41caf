import KnotDomain
import Testing

@testable import TextReading

@Suite("A stated window")
struct StatedWindowTests {
    private func rulesOut(_ limit: String, _ year: Int, _ month: Int, _ day: Int, _ hour: Int) throws -> Bool {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        let start = try #require(LocalDateTime(date: date, hour: hour, minute: 0))
        return StatedWindow.windows(in: limit).contains { $0.rulesOut(start) }
    }

    @Test(arguments: ["", "no more mugs", "plays Thursdays at the hall", "Saturday evening only", "one for Tuesday"])
    func `is not read into words that state none`(limit: String) {
        #expect(StatedWindow.windows(in: limit).allSatisfy { $0.days.isEmpty || $0.polarity == .never })
    }

    @Test func `of the only free days rules out all others`() throws {
        for limit in ["free 19-22 December only", "only free Dec 19 through 22"] {
            #expect(try !rulesOut(limit, 2026, 12, 19, 20))
            #expect(try !rulesOut(limit, 2026, 12, 22, 9))
            #expect(try rulesOut(limit, 2026, 12, 23, 9))
            #expect(try rulesOut(limit, 2026, 11, 20, 9))
        }
    }

    @Test func `of busy weekdays counts only from the hour it names`() throws {
        let limit = "not after six on Tuesday to Thursday"
        // 2026-09-16 is a Wednesday, the 18th a Friday.
        #expect(try rulesOut(limit, 2026, 9, 16, 19))
        #expect(try !rulesOut(limit, 2026, 9, 16, 15))
        #expect(try !rulesOut(limit, 2026, 9, 18, 19))
    }

    @Test func `of a shift ends when the shift does`() throws {
        #expect(try rulesOut("works December 31 until 7pm", 2026, 12, 31, 17))
        #expect(try !rulesOut("works December 31 until 7pm", 2026, 12, 31, 20))
    }

    @Test func `holds a weekday named without an hour against an evening only`() {
        let windows = StatedWindow.windows(in: "works Wednesday evenings")
        #expect(windows.contains { $0.rulesOut(every: .wednesday) })
        #expect(!windows.contains { $0.rulesOut(every: .saturday) })
        #expect(!StatedWindow.windows(in: "works Saturday mornings").contains { $0.rulesOut(every: .saturday) })
    }

    @Test func `begins at the hour it names and not at the day's number`() throws {
        // 2026-12-20 is a Sunday.
        #expect(try rulesOut("gig from 5 pm on the 20th", 2026, 12, 20, 19))
        #expect(try !rulesOut("gig from 5 pm on the 20th", 2026, 12, 20, 14))
        #expect(try !rulesOut("gig from 5 pm on the 20th", 2026, 12, 5, 19))
        #expect(try !rulesOut("works from 5 pm on 20 December", 2026, 12, 5, 19))
    }

    @Test func `of days without a month holds in any month`() throws {
        for limit in ["on site the 22nd and 23rd", "away 22nd to 23rd", "conference 22nd-23rd"] {
            #expect(try rulesOut(limit, 2026, 11, 22, 19))
            #expect(try rulesOut(limit, 2026, 11, 23, 19))
            #expect(try !rulesOut(limit, 2026, 11, 24, 19))
        }
        #expect(try rulesOut("training 14th to 17th", 2026, 11, 16, 9))
    }

    @Test func `of a weekday beside a day needs both`() throws {
        // 2026-11-21 is a Saturday, 2026-12-21 a Monday.
        #expect(try rulesOut("clinic on Saturday 21st until four", 2026, 11, 21, 14))
        #expect(try !rulesOut("clinic on Saturday 21st until four", 2026, 11, 21, 17))
        #expect(try !rulesOut("clinic on Saturday 21st until four", 2026, 12, 21, 14))
    }

    @Test func `of weekends and of days joined by a hyphen covers each of them`() throws {
        #expect(try rulesOut("works every weekend", 2026, 11, 21, 14))
        #expect(try !rulesOut("works every weekend", 2026, 11, 20, 14))
        #expect(try rulesOut("night shift Mon-Wed", 2026, 11, 17, 20))
        #expect(try !rulesOut("night shift Mon-Wed", 2026, 11, 17, 12))
    }

    @Test func `lasts into the evening when a duty does`() throws {
        #expect(try rulesOut("board meeting Friday the 20th till nine", 2026, 11, 20, 19))
    }

    @Test func `ends where somebody lands`() throws {
        #expect(try rulesOut("lands on the 12th at six", 2026, 11, 12, 15))
        #expect(try !rulesOut("lands on the 12th at six", 2026, 11, 12, 19))
    }

    @Test(arguments: [
        "off work on Friday", "not working Saturday", "free after the exam on Friday", "not on the Easter weekend",
    ])
    func `of leisure is none`(limit: String) {
        #expect(StatedWindow.windows(in: limit).isEmpty)
    }

    /// Hours at which something is ruled out on every day, and hours at which nothing is.
    @Test(arguments: [
        ("no evenings", [17, 20, 23, 0], [9, 12, 16]), ("evenings are out", [18, 23], [11, 15]),
        ("not in the evening", [19], [13]), ("daytime only", [18, 22, 1], [9, 16]),
        ("only mornings", [12, 15, 20], [8, 11]), ("free in the evenings only", [9, 16], [17, 20]),
        ("not after 10 pm", [22, 23, 0, 2], [10, 19, 21]), ("nothing later than nine", [21, 23], [9, 20]),
        ("nothing before 11 am", [7, 10], [11, 20]), ("not before noon", [9, 11], [12, 22]),
        ("can't do mornings", [8, 11], [12, 20]), ("home by ten at night", [21, 22, 23, 0], [10, 18, 20]),
        ("must be back by midnight", [23, 0, 1], [9, 19, 22]), ("has to be home before 6 pm", [17, 20], [11, 16]),
        ("in bed by nine", [20, 22], [12, 19]), ("no late nights for the sitter", [22, 23], [13, 19]),
        ("only free from 10 to 4", [1, 9, 16, 20], [10, 13, 15]),
        ("only from ten to four", [9, 16, 22], [10, 15]), ("free 10-4 only", [9, 16], [10, 15]),
        ("only available from 9 until 5", [3, 8, 17, 21], [9, 12, 16]),
        ("only free between 9 am and 5", [8, 17], [9, 16]), ("only free from 6 pm to 10 pm", [10, 17, 22], [18, 21]),
        ("not available from 2 to 4", [14, 15], [2, 10, 13, 16, 20]), ("not between 2 and 4 pm", [14, 15], [13, 16]),
        ("no plans from 6 am to 8 am", [6, 7], [5, 8, 12, 20]), ("not from 10 pm to 6 am", [22, 0, 5], [6, 12, 21]),
        ("home by two at night", [1, 3], [12, 20, 0]),
    ])
    func `of hours without a day holds on every day`(limit: String, ruledOut: [Int], free: [Int]) throws {
        for day in 2...8 {
            for hour in ruledOut { #expect(try rulesOut(limit, 2026, 3, day, hour), "\(day) March, \(hour)") }
            for hour in free { #expect(try !rulesOut(limit, 2026, 3, day, hour), "\(day) March, \(hour)") }
        }
        // The title of what has no hour names a day and not its evening.
        #expect(StatedWindow.windows(in: limit).allSatisfy { !$0.rulesOut(every: .sunday) })
    }

    @Test(arguments: [
        "never too late", "morning coffee only", "no night shifts", "ten-hour shifts on a hard floor",
        "no caffeine after lunch", "works mornings only", "not only evenings", "up at five, home early",
        "two hours in the morning", "not a morning person", "nothing before 8", "no longer works evenings",
        "lunch only", "no evening dresses", "home by the sea", "back pain, no lifting after surgery", "no",
        "bugs drive them in by 7:30 pm", "asleep until about 3 pm", "decaf after six", "evening only now and then",
        "only home in the evenings", "not home until ten at night",
        "back by 6 am", "must be home by 7 in the morning", "no later than 6 am", "kids are in bed by 7",
        "the baby is in bed by seven", "only free from 7 to 9", "no nine to five", "free from 10 to 4",
    ])
    func `of hours is not read into what limits no outing`(limit: String) {
        #expect(StatedWindow.windows(in: limit).isEmpty)
    }
}

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
}

import KnotDomain
import Testing

@testable import Recommendation

@Suite("A stated window")
struct StatedWindowTests {
    private func rulesOut(_ limit: String, _ year: Int, _ month: Int, _ day: Int, _ hour: Int) throws -> Bool {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        let start = try #require(LocalDateTime(date: date, hour: hour, minute: 0))
        return StatedWindow.windows(in: limit).contains { $0.rulesOut(start) }
    }

    @Test(arguments: ["", "no more mugs", "plays Thursdays at the hall", "Saturday evening only", "one for Tuesday"])
    func `is not read into words that state none`(limit: String) {
        #expect(StatedWindow.windows(in: limit).allSatisfy { $0.days == nil || $0.polarity == .never })
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
}

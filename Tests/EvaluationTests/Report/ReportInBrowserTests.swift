import Digest
import Foundation
import TestSupport
import Testing

@testable import Evaluation

/// The page in a real browser: on a phone and on a desk, by day and by night.
@Suite(.onOwnThreads, .serialized, .enabled(if: Browser.path != nil, Comment(rawValue: Browser.absence)))
struct ReportInBrowserTests {
    private func frames(_ outcome: Browser.Outcome) throws -> [[String: Any]] {
        let frames = try #require(outcome.result["frames"] as? [[String: Any]])
        #expect(frames.compactMap { $0["width"] as? Int } == Browser.widths)
        return frames
    }

    @Test(arguments: Browser.Scheme.allCases)
    func `fits, can be read, and gives the console nothing to say`(scheme: Browser.Scheme) throws {
        let unbroken = String(repeating: "Wollhandschuhe", count: 30)
        let summaries = [
            try Invented.summary(title: "Lined gloves for cold hands"),
            try Invented.summary(title: unbroken, label: unbroken),
            try Invented.summary(against: false), try Invented.summary(title: Invented.hostile[2]),
        ]
        for summary in summaries {
            let outcome = try Browser.measure(ReportPage(summary).html, scheme)
            #expect(outcome.console.isEmpty)
            for frame in try frames(outcome) {
                let width = try #require(frame["width"] as? Int)
                #expect(try #require(frame["content"] as? Int) <= width, "\(scheme) \(width)")
                #expect((frame["wide"] as? [String])?.isEmpty == true, "\(String(describing: frame["wide"]))")
                #expect((frame["faint"] as? [String])?.isEmpty == true, "\(String(describing: frame["faint"]))")
                #expect((frame["broken"] as? [String])?.isEmpty == true, "\(String(describing: frame["broken"]))")
                #expect(frame["dark"] as? Bool == (scheme == .dark))
                #expect(try #require(frame["smallest"] as? Double) >= 11)
            }
        }
    }

    @Test func `no gate stands alone in its row, and every bar has the same scale`() throws {
        for summary in [try Invented.summary(), try Invented.summary(against: false)] {
            for frame in try frames(Browser.measure(ReportPage(summary).html, .light)) {
                let rows = try #require(frame["tiles"] as? [Int])
                #expect(
                    rows.reduce(0, +) == Gate.allCases.count && Set(rows).count == 1,
                    "\(frame["width"] ?? 0): \(rows)"
                )
                #expect(rows[0] > 1)
                #expect(frame["units"] as? Int == 1, "\(frame["width"] ?? 0)")
            }
        }
    }

    @Test func `is another page by night`() throws {
        let page = try Invented.page()
        let papers = try Browser.Scheme.allCases.map { scheme in
            try #require(try frames(Browser.measure(page, scheme)).first?["paper"] as? String)
        }
        #expect(Set(papers).count == 2)
    }

    /// What the other tests rest on: the browser does see what is wrong with a page.
    @Test func `would be refused what its policy forbids, too wide or too faint`() throws {
        let page = try Invented.page().replacing(
            "<main id=\"main\">",
            with: "<main id=\"main\"><p style=\"color:red\">x</p><pre>\(String(repeating: "w", count: 999))</pre>"
                + "<script>console.log(1)</script>"
        )
        let outcome = try Browser.measure(page, .light)
        #expect(outcome.console.count(where: { $0.contains("Content Security Policy") }) >= 2)
        #expect(try frames(outcome).allSatisfy { ($0["content"] as? Int ?? 0) > 2_000 })
        let faint = try changedPage(with: ("--soft:#5c626c", "--soft:#b9bcc4"))
        let grey = try Browser.measure(faint, .light)
        #expect(grey.console.isEmpty)
        #expect(try frames(grey).allSatisfy { ($0["faint"] as? [String])?.isEmpty == false })
    }

    /// The page with its sheet changed and let in again.
    private func changedPage(with change: (String, String)) throws -> String {
        let page = try Invented.page()
        let sheet = try #require(page.firstMatch(of: #/<style>([^<]*)</style>/#)).output.1
        let changed = sheet.replacing(change.0, with: change.1)
        func hash(_ text: some StringProtocol) -> String {
            Data(SHA256Digest(of: String(text)).bytes).base64EncodedString()
        }
        return page.replacing(sheet, with: changed).replacing(hash(sheet), with: hash(changed))
    }
}

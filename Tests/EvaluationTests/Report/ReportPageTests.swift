import Console
import Digest
import Foundation
import StageGraph
import TestSupport
import Testing

@testable import Evaluation

@Suite(.onOwnThreads) struct ReportPageTests {
    @Test func `lets in one style sheet, known by its hash, and nothing else`() throws {
        let page = try Invented.page()
        let style = try #require(page.firstMatch(of: #/<style>([^<]*)</style>/#)?.output.1)
        let hash = Data(SHA256Digest(of: String(style)).bytes).base64EncodedString()
        let policy = try #require(page.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.output.1)
        #expect(
            policy == "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
        )
        #expect(page.matches(of: /<style/).count == 1)
        for banned in ["<script", "<img", "<link", "<iframe", " style=", "javascript:", "@import", "url("] {
            #expect(!page.contains(banned), "\(banned)")
        }
        #expect(page.firstMatch(of: #/ on[a-z]+=/#) == nil, "no attribute listens to anything")
        #expect(page.firstMatch(of: /href="[^#]/) == nil, "no link leads away")
    }

    @Test(arguments: Invented.hostile.indices)
    func `shows hostile text as text`(number: Int) throws {
        let text = Invented.hostile[number]
        let page = try Invented.page(Invented.summary(title: text, label: text))
        #expect(try Elements(page).problems.isEmpty)
        for tag in ["<script", "<img", "<svg onload", "</style><"] { #expect(!page.contains(tag)) }
        #expect(!page.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) || $0 == "\u{0}" })
        #expect(page.utf8.count < 400_000, "a megabyte of title is cut")
    }

    @Test func `is well formed and tells its parts apart for those who listen`() throws {
        for page in [try Invented.page(), try Invented.page(Invented.summary(against: false))] {
            let elements = try Elements(page)
            #expect(elements.problems.isEmpty)
            for landmark in ["header", "nav", "main", "footer", "h1"] {
                #expect(elements.count(landmark) == 1, "\(landmark)")
            }
            #expect(elements.count("caption") == elements.count("table"))
            let pictures = page.matches(of: #/<svg[^>]* role="img" aria-labelledby="([^ "]+) ([^ "]+)"/#)
            #expect(!pictures.isEmpty)
            for picture in pictures {
                #expect(page.contains("<title id=\"\(picture.output.1)\">"))
                #expect(page.contains("<desc id=\"\(picture.output.2)\">"))
            }
            let names = page.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) }
            #expect(Set(names).count == names.count, "every id is there once")
        }
    }

    @Test func `is the same to the byte for the same evaluation`() throws {
        #expect(try Invented.page() == Invented.page())
    }

    @Test func `says what it was made with, and what a star means`() throws {
        let summary = try Invented.summary(label: "choice-of-three*")
        let page = ReportPage(summary).html
        let made = try #require(summary.provenance)
        for text in ["knot-recommend 9.8.7", made.command, made.dataDigest, summary.evaluation.plan.identity] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(page.contains("choice-of-three* is choice-of-three with combine.hints=0.1."))
        #expect(Verdict(summary).details.contains("choice-of-three* is choice-of-three with combine.hints=0.1."))
        #expect(try !Invented.page().contains("is choice-of-three with"), "no star, nothing to explain")
    }

    @Test func `has every vault's figures as a table that parses back`() throws {
        let summary = try Invented.summary()
        let rows = EvaluationCSV(summary).text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 25 && Set(rows.map(\.count)).count == 1)
        let column = try #require(rows[0].firstIndex(of: "mean_grade"))
        let grades = rows.dropFirst().prefix(12).map { Double($0[column]) }
        #expect(grades == summary.evaluation.vaults.map { $0[.meanGrade] })
        let page = try Invented.page()
        for row in EvaluationCSV(summary).lines { #expect(page.contains(EscapedText.of(row, limit: 10_000))) }
    }

    @Test(arguments: [
        ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"), ("x", "x"),
        ("\u{1B}[31mred\u{7}\u{9B}1m\0", "[31mred1m"), ("a\u{202E}b\u{2066}c", "abc"), ("👩\u{200D}🍳", "👩\u{200D}🍳"),
        ("\u{1B}=1", "'=1"),
    ])
    func `a cell is quoted where it must be and never a formula`(text: String, cell: String) {
        var table = CSVTable(["a", "b", "c"])
        table.add([.text(text), .number(-0.5), .whole(nil)])
        #expect(table.text == "a,b,c\n\(cell),-0.5,\n")
    }

    @Test func `the vaults are spread over ten grades, and those without one are told`() throws {
        let summary = try Invented.summary()
        let distribution = GradeDistribution(summary.evaluation)
        #expect(distribution.gradedCount + distribution.ungradedCount == 12 && distribution.counts.count == 10)
        for (grade, count) in zip(GradeDistribution.grades, distribution.counts) {
            let same = summary.evaluation.vaults.count { abs(($0[.meanGrade] ?? -1) - grade) < 1e-9 }
            #expect(same == count, "\(grade)")
        }
        #expect(try Invented.page().contains("id=\"distribution\""))
    }

    @Test func `has a sweep only where there was one`() throws {
        #expect(try Invented.page().contains("combine.hints"))
        #expect(try !Invented.page(Invented.summary(sweep: false)).contains("id=\"sweep\""))
    }
}

import Digest
import Foundation
import Testing

@testable import Evaluation

@Suite struct ReportPageTests {
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

    @Test(arguments: Invented.hostile)
    func `shows hostile text as text`(text: String) throws {
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

    @Test func `has a sweep only where there was one`() throws {
        #expect(try Invented.page().contains("combine.hints"))
        #expect(try !Invented.page(Invented.summary(sweep: false)).contains("id=\"sweep\""))
    }
}

import Testing

@Suite("The documentation's code")
struct DocumentationCodeTests {
    private static let pages =
        ["README.md"] + House.files(in: "Sources/KnotRecommendation/Documentation.docc", endings: [".md"])

    /// The Swift blocks of a page.
    private static func blocks(of page: String) throws -> [String] {
        try House.text(page).split(separator: "```swift\n").dropFirst().map { part in
            String(try #require(part.split(separator: "\n```", maxSplits: 1).first))
        }
    }

    @Test(arguments: pages)
    func `is the code of examples that compile`(page: String) throws {
        let compiled = try House.files(in: "Tests", endings: [".swift"])
            .filter { $0.contains("/Examples/") || $0.contains("/KnotRecommendationTests/") }
            .map(House.text)
        for block in try Self.blocks(of: page) {
            #expect(compiled.contains { $0.contains(block) }, "\(page): no example has\n\(block)")
        }
    }

    @Test func `has the whole of what its guides build`() throws {
        let shown = try Self.pages.flatMap(Self.blocks).joined(separator: "\n")
        for type in ["FilterLoud", "ShelfProvider", "ShopSearch", "ChoiceServer", "StockServer"] {
            #expect(shown.contains("struct \(type)"), "no page shows \(type)")
        }
    }

    @Test func `is on pages that the README's links find`() throws {
        for match in try House.text("README.md").matches(of: /\]\(([^)#\s]+)\)/) where !match.output.1.contains("://") {
            #expect(House.exists(String(match.output.1)), "README.md links to \(match.output.1)")
        }
    }

    /// A server sees public names alone, so its example is written with nothing else.
    @Test func `needs no name of the server's library that is not public`() throws {
        for file in House.files(in: "Sources/KnotRecommendation", endings: [".swift"]) {
            #expect(!(try House.text(file)).contains("package "), "\(file) shows the package what a server cannot see")
        }
        for file in House.files(in: "Tests/KnotRecommendationTests", endings: [".swift"]) {
            #expect(
                Set(try House.imports(of: file)).isSubset(of: [
                    "Foundation", "FoundationEssentials", "KnotRecommendation", "Testing",
                ])
            )
        }
    }
}

import Testing

@Suite("The README's code")
struct ReadmeExampleTests {
    @Test(
        arguments: [
            "RecommendationTests/Examples/FilterLoud.swift", "RecommendationTests/Examples/ShelfProvider.swift",
            "LiveProvidersTests/Examples/ShopSearch.swift",
        ]
    )
    func `is the code of an example that compiles`(file: String) throws {
        let example = try House.text("Tests/\(file)")
        let body = try #require(example.split(separator: "///", maxSplits: 1, omittingEmptySubsequences: false).last)
        #expect(try House.text("README.md").contains(body), "README differs from \(file)")
    }

    @Test(arguments: ["ChoiceServer", "StockServer"])
    func `is the whole of a server that a test runs`(name: String) throws {
        let server = try House.text("Tests/KnotRecommendationTests/\(name).swift")
        #expect(try House.text("README.md").contains("```swift\n\(server)```"))
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

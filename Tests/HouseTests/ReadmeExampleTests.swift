import Testing

@Suite("The README's code")
struct ReadmeExampleTests {
    @Test(arguments: ["DropLoud.swift", "ShelfProvider.swift"])
    func `is the code of an example that compiles`(file: String) throws {
        let example = try House.text("Tests/RecommendationTests/Examples/\(file)")
        let body = try #require(example.split(separator: "///", maxSplits: 1, omittingEmptySubsequences: false).last)
        #expect(try House.text("README.md").contains(body), "README differs from \(file)")
    }
}

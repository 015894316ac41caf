import Testing

@testable import HintRules

@Suite struct PatternListTests {
    private func range(_ pattern: String, _ text: String) -> Range<Int>? {
        let list = PatternList([Array(pattern.utf8)[...]], of: "test")
        // A pattern is looked for where a word begins one of the reader's own lists; these all do.
        return HintText(text).words.indices.lazy.compactMap { list.match(in: HintText(text), at: $0)?.range }.first
    }

    @Test func `alternatives stand for each other`() {
        #expect(range("lost|loses interest", "she loses interest") == 1..<3)
        #expect(range("lost|loses interest", "she lost hope") == nil)
    }

    @Test func `what may be left out may stand there`() {
        #expect(range("lost all? interest", "he lost interest") == 1..<3)
        #expect(range("lost all? interest", "he lost all interest") == 1..<4)
    }

    @Test func `a gap takes up to three words`() {
        #expect(range("lost * interest", "he lost any kind of interest") == 1..<6)
        #expect(range("lost * interest", "he lost the very last bit of interest") == nil)
    }

    @Test func `a word asked for before the pattern is no part of it`() {
        #expect(range("<not mind a", "would not mind a harp") == 2..<4)
        #expect(range("<not mind a", "does she mind a harp") == nil)
    }

    @Test func `a pattern ends with its sentence`() {
        #expect(range("lost interest", "he lost. Interest is up") == nil)
    }

    @Test func `every pattern of the reader begins with a word that must stand there`() {
        for list in Patterns.all { #expect(list.opensFirmly, "[\(list.name)]") }
    }
}

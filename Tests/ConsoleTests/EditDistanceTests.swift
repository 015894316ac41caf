import Testing

@testable import Console

@Suite struct `Edit distance` {
    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("seed", "sed", 1), ("fixtrue", "fixture", 1),
        ("run", "explain", 6),
    ])
    func `counts insertions, removals, replacements and swaps`(first: String, second: String, distance: Int) {
        #expect(EditDistance.between(Array(first), Array(second)) == distance)
        #expect(EditDistance.between(Array(second), Array(first)) == distance)
    }

    @Test func `offers nothing when nothing is near`() {
        #expect(EditDistance.nearest(to: "zzzzzz", among: ["seed", "strict"]) == nil)
        #expect(EditDistance.nearest(to: "x", among: ["seed"]) == nil)
        #expect(EditDistance.nearest(to: String(repeating: "a", count: 100_000), among: ["seed"]) == nil)
    }

    @Test func `offers the nearest word and prefers a word cut short`() {
        #expect(EditDistance.nearest(to: "sed", among: ["strict", "seed"]) == "seed")
        #expect(EditDistance.nearest(to: "pipe", among: ["pipeline", "ripe"]) == "pipeline")
    }
}

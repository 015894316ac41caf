import Evaluation
import StageGraph
import Testing

@Suite struct CanonicalRankingTests {
    @Test func `refuses an item that is there twice and a score that is no number`() {
        let twice = #expect(throws: RankingError.self) { try CanonicalRanking(ordered: ["a", "b", "a"]) }
        #expect(twice?.code == .duplicateID && twice?.id == "a")
        let doubled = #expect(throws: RankingError.self) { try CanonicalRanking(scored: [("a", 1), ("a", 2)]) }
        #expect(doubled?.code == .duplicateID)
        let nothing = #expect(throws: RankingError.self) { try CanonicalRanking(scored: [("a", 1), ("b", .nan)]) }
        #expect(nothing?.code == .scoreIsNoNumber && nothing?.id == "b")
    }

    @Test func `orders by score, then by the bytes of the id, either way`() throws {
        let scored = [("b", 1.0), ("a", 1.0), ("c", 2.0), ("B", 1.0), ("d", -.infinity)]
        #expect(try CanonicalRanking(scored: scored).ids == ["c", "B", "a", "b", "d"])
        #expect(try CanonicalRanking(scored: scored, ties: .descendingID).ids == ["c", "b", "a", "B", "d"])
    }

    @Test func `does not depend on the order that items come in`() throws {
        let scored = (0..<40).map { ("item\($0)", Double($0 % 5)) }
        let usual = try CanonicalRanking(scored: scored)
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            #expect(try CanonicalRanking(scored: scored.shuffled(using: &generator)) == usual, "seed \(seed)")
        }
    }
}

import StageGraph
import Testing
import TextEncoding

@testable import TextReading

@Suite("Hints that say the same again") struct HintEchoesTests {
    /// Every hint compared with every other.
    private static func compared(_ all: [[UInt64]], _ strong: [Bool], _ place: Int) -> Int {
        let stems = all.map { StemSet(fingerprints: $0) }
        return min(
            2,
            stems.indices.count { other in
                guard other != place, strong[other], !stems[place].isEmpty, !stems[other].isEmpty else { return false }
                let shared = Double(stems[place].sharedCount(with: stems[other]))
                return shared / Double(min(stems[place].count, stems[other].count)) > 0.5
            }
        )
    }

    @Test(arguments: [3, 40, 60, 300] as [Int])
    func `are those that comparing all of them finds`(count: Int) {
        let seed = UInt64(count) * 7_919
        var random = SeededGenerator(seed: seed)
        for vocabulary in [4, 30, 400] {
            let all = (0..<count).map { _ in
                (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    UInt64(
                        Int.random(in: 0..<vocabulary, using: &random) * Int.random(in: 0..<vocabulary, using: &random)
                    )
                }
            }
            let strong = (0..<count).map { _ in Int.random(in: 0...4, using: &random) > 0 }
            let echoes = HintEchoes(all, strong: strong)
            for place in all.indices {
                #expect(echoes.count(of: place) == Self.compared(all, strong, place), "seed \(seed), hint \(place)")
            }
        }
    }
}

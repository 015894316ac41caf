import StageGraph
import Testing

@Suite struct `A seeded generator` {
    @Test func `gives the published numbers of xoshiro256 star star`() {
        // Reference: the authors' C code started by SplitMix64 from 0; the first SplitMix64 word is e220a8397b1dcdaf.
        var generator = SeededGenerator(seed: 0)
        let words = (0..<3).map { _ in generator.next() }
        #expect(words == [0x99EC_5F36_CB75_F2B4, 0xBF6E_1F78_4956_452A, 0x1A5F_849D_4933_E6E0])
    }

    @Test func `keeps its unit numbers in zero up to one`() {
        var generator = SeededGenerator(seed: 7)
        let numbers = (0..<10_000).map { _ in generator.unit() }
        #expect(numbers.allSatisfy { (0..<1).contains($0) })
        let mean = numbers.reduce(0, +) / 10_000
        // Standard error of the mean is 0.0029; five of them.
        #expect(abs(mean - 0.5) < 0.015)
    }
}

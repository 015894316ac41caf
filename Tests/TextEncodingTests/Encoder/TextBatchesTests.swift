import Testing

@testable import TextEncoding

@Suite("Batches of texts")
struct TextBatchesTests {
    struct Workload: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        let lengths: [Int]
        let most: Int
        let workers: Int
        var testDescription: String { "seed \(seed): \(lengths.count) texts, \(workers) workers" }
    }

    static let workloads = (0..<60 as Range<UInt64>).map { seed in
        var generator = SplitMix(state: seed)
        let longest = Int.random(in: 3...300, using: &generator)
        let lengths = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
            Int.random(in: 3...longest, using: &generator)
        }
        return Workload(
            seed: seed,
            lengths: lengths,
            most: Int.random(in: 64...600, using: &generator),
            workers: Int.random(in: 1...5, using: &generator)
        )
    }

    private static func batches(_ workload: Workload) -> TextBatches {
        TextBatches(
            workload.lengths.map { [UInt32](repeating: 7, count: $0) },
            most: workload.most,
            workers: workload.workers
        )
    }

    private static func tokens(_ batch: [TextBatches.Text]) -> Int { batch.reduce(0) { $0 + $1.tokens.count } }

    @Test(arguments: workloads) func `have every text once`(workload: Workload) {
        let texts = Self.batches(workload).batches.flatMap { $0 }
        #expect(texts.map(\.place).sorted() == Array(workload.lengths.indices))
        #expect(texts.allSatisfy { $0.tokens.count == workload.lengths[$0.place] })
    }

    @Test(arguments: workloads) func `are of like work, and as many for each worker`(workload: Workload) throws {
        let batches = Self.batches(workload).batches
        let longest = try #require(workload.lengths.max())
        let sizes = batches.map(Self.tokens)
        let (least, most) = (try #require(sizes.min()), try #require(sizes.max()))
        #expect(most - least <= longest && most <= workload.most + longest)
        let total = workload.lengths.reduce(0, +)
        if workload.lengths.count > batches.count, total >= 64 * batches.count {
            #expect(batches.count % workload.workers == 0)
        }
    }

    /// Blocks as the kernels fill them: with whole texts in the order they come.
    private static func blocks(_ texts: [TextBatches.Text]) -> Int {
        var count = 0
        var filled = Int.max / 2
        for text in texts {
            filled += text.tokens.count
            if filled > TextBatches.blockTokens { (count, filled) = (count + 1, text.tokens.count) }
        }
        return count
    }

    @Test(arguments: workloads) func `fill the kernels' blocks better than texts by length do`(workload: Workload) {
        var packed = 0
        var sorted = 0
        for batch in Self.batches(workload).batches {
            packed += Self.blocks(batch)
            sorted += Self.blocks(batch.sorted { $0.tokens.count > $1.tokens.count })
        }
        #expect(packed <= sorted)
    }

    @Test func `are one where there is little to do, and none for no texts`() {
        #expect(TextBatches([[1, 2, 3], [1, 2, 3, 4]], most: 512, workers: 4).batches.count == 1)
        #expect(TextBatches([], most: 512, workers: 4).batches.isEmpty)
    }

    @Test func `are handed out once each`() {
        let batches = TextBatches([[UInt32]](repeating: [1, 2, 3], count: 200), most: 100, workers: 2)
        var taken = 0
        while let batch = batches.take() { taken += batch.count }
        #expect(taken == 200 && batches.take() == nil)
    }
}

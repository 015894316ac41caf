import CVectorKernels
import Exactness
import Testing

@testable import VectorSearch

@Suite("The encoder's kernels")
struct EncoderKernelsTests {
    static let scalar = Kernels.available[0]
    static let byteKernels = Kernels.available.filter { unsafe knot_encoder_has($0.table, KNOT_ENCODER_BYTE) != 0 }

    struct Shape: CustomTestStringConvertible, Sendable {
        let (hidden, heads, intermediate, layers): (Int, Int, Int, Int)
        var testDescription: String { "\(hidden) numbers, \(heads) heads, \(intermediate) wide, \(layers) layers" }
    }

    @Test(arguments: [
        Shape(hidden: 0, heads: 1, intermediate: 16, layers: 1),
        Shape(hidden: 32, heads: 0, intermediate: 16, layers: 1),
        Shape(hidden: 32, heads: 1, intermediate: 0, layers: 1),
        Shape(hidden: 32, heads: 1, intermediate: 16, layers: 0),
        Shape(hidden: 40, heads: 1, intermediate: 16, layers: 1),
        Shape(hidden: 32, heads: 3, intermediate: 16, layers: 1),
        Shape(hidden: 32, heads: 4, intermediate: 16, layers: 1),
        Shape(hidden: 32, heads: 1, intermediate: 17, layers: 1),
        Shape(hidden: 1 << 20, heads: 1, intermediate: 16, layers: 1),
        Shape(hidden: 32, heads: 1, intermediate: 1 << 30, layers: 1),
        Shape(hidden: 32, heads: 1, intermediate: 16, layers: 1 << 30),
    ])
    func `refuse a shape they are not made for`(shape: Shape) {
        let refused = EncoderTrial.shape(
            hidden: shape.hidden,
            heads: shape.heads,
            intermediate: shape.intermediate,
            layers: shape.layers
        )
        for kernels in Kernels.available {
            #expect(EncoderTrial.bytes(refused, kernels, KNOT_ENCODER_FLOAT) == 0)
            #expect(EncoderTrial.bytes(refused, kernels, KNOT_ENCODER_BYTE) == 0)
        }
    }

    @Test func `refuse bytes where there is no arithmetic for them, and an unknown precision`() {
        let shape = EncoderTrial.shape(hidden: 32, heads: 2, intermediate: 64, layers: 1)
        for kernels in Kernels.available {
            let has = unsafe knot_encoder_has(kernels.table, KNOT_ENCODER_BYTE) != 0
            let isTruth = kernels == Self.scalar
            #expect((EncoderTrial.bytes(shape, kernels, KNOT_ENCODER_BYTE) > 0) == (has || isTruth), "\(kernels)")
            #expect(EncoderTrial.bytes(shape, kernels, KNOT_ENCODER_FLOAT) > 0, "\(kernels)")
            #expect(EncoderTrial.bytes(shape, kernels, knot_encoder_precision(rawValue: 7)) == 0, "\(kernels)")
        }
    }

    @Test(arguments: [
        Shape(hidden: 96, heads: 3, intermediate: 144, layers: 2),
        Shape(hidden: 64, heads: 1, intermediate: 16, layers: 1),
        Shape(hidden: 16, heads: 1, intermediate: 48, layers: 3),
        Shape(hidden: 80, heads: 5, intermediate: 80, layers: 1),
    ])
    func `agree with plain arithmetic in single precision`(shape: Shape) {
        let trial = EncoderTrial(
            hidden: shape.hidden,
            heads: shape.heads,
            intermediate: shape.intermediate,
            layers: shape.layers,
            seed: 31
        )
        let truth = trial.states(Self.scalar, KNOT_ENCODER_FLOAT)
        let isFinite = truth.allSatisfy(\.isFinite)
        #expect(isFinite)
        for kernels in Kernels.available {
            // A hundred-odd roundings of 2^-24 in each of a few sums in a row.
            #expect(Self.distance(trial.states(kernels, KNOT_ENCODER_FLOAT), truth) < 1e-5, "\(kernels)")
        }
    }

    @Test func `agree with plain arithmetic in bytes`() {
        for seed in 41..<44 as Range<UInt64> {
            let trial = EncoderTrial(intermediate: 400, hasLargeWeights: seed % 2 == 0, seed: seed)
            let truth = trial.states(Self.scalar, KNOT_ENCODER_BYTE)
            for kernels in Self.byteKernels {
                // Sums are whole numbers; only a number on the verge of two codes may get the other one.
                #expect(Self.distance(trial.states(kernels, KNOT_ENCODER_BYTE), truth) < 5e-3, "\(kernels), \(seed)")
            }
        }
    }

    @Test func `keep in bytes what single precision says, single large weights or not`() {
        for seed in 51..<55 as Range<UInt64> {
            let trial = EncoderTrial(intermediate: 400, hasLargeWeights: seed % 2 == 0, seed: seed)
            let truth = trial.states(Self.scalar, KNOT_ENCODER_FLOAT)
            for kernels in [Self.scalar] + Self.byteKernels {
                // Half a 255th of a range in each of eight products: 2 % of a number's usual size, less in a mean of rows.
                #expect(Self.distance(trial.states(kernels, KNOT_ENCODER_BYTE), truth) < 0.03, "\(kernels), \(seed)")
            }
        }
    }

    /// The kinds but the plain one, in every precision they have, each with one batch of lengths.
    @Test func `give a text the same bits whatever texts share its batch`() {
        var random = SeededRandom(seed: 61)
        for round in 0..<3 {
            let lengths = (0..<8).map { _ in Int.random(in: 0...(random.chance(20) ? 110 : 20), using: &random) }
            let trial = EncoderTrial(hidden: 48, heads: 3, intermediate: 80, lengths: lengths, seed: 62)
            for kernels in Kernels.available {
                for precision in [KNOT_ENCODER_FLOAT, KNOT_ENCODER_BYTE]
                where EncoderTrial.bytes(trial.shape, kernels, precision) > 0 {
                    let together = trial.states(kernels, precision)
                    let alone = (0..<lengths.count).flatMap { trial.states(kernels, precision, texts: $0..<$0 + 1) }
                    #expect(
                        together.map(\.bitPattern) == alone.map(\.bitPattern),
                        "\(kernels), \(lengths), round \(round)"
                    )
                }
            }
        }
    }

    @Test func `start from the sum of three embeddings, brought to a mean of 0 and a deviation of 1`() {
        let shape = EncoderTrial.shape(hidden: 32, heads: 2, intermediate: 16, layers: 1)
        var random = SeededRandom(seed: 71)
        let words = (0..<5 * 32).map { _ in random.bell() }
        let places = (0..<4 * 32).map { _ in random.bell() }
        let kind = (0..<32).map { _ in random.bell() }
        let (ones, zeros) = ([Float](repeating: 1, count: 32), [Float](repeating: 0, count: 32))
        for kernels in Kernels.available {
            var states = [Float](repeating: .nan, count: 2 * 32)
            unsafe withUnsafePointer(to: shape) { shape in
                // Word 4 at place 0, word 1 at place 3; 32 numbers each.
                unsafe knot_encoder_embed(
                    kernels.table,
                    shape,
                    words,
                    places,
                    kind,
                    ones,
                    zeros,
                    [4, 1],
                    [0, 3],
                    2,
                    &states
                )
            }
            for (row, word, place) in [(0, 4, 0), (1, 1, 3)] {
                let sums = (0..<32).map { Double(words[word * 32 + $0] + places[place * 32 + $0] + kind[$0]) }
                let mean = sums.reduce(0, +) / 32
                let deviation = (sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 32).squareRoot()
                for i in 0..<32 {
                    #expect(abs(Double(states[row * 32 + i]) - (sums[i] - mean) / deviation) < 1e-5, "\(kernels)")
                }
            }
        }
    }

    /// How far two lists of numbers are apart, as a share of the second's length.
    private static func distance(_ left: [Float], _ right: [Float]) -> Double {
        var (apart, all) = (0.0, 0.0)
        for (x, y) in zip(left, right) {
            apart += Double(x - y) * Double(x - y)
            all += Double(y) * Double(y)
        }
        return left.count == right.count && all > 0 ? (apart / all).squareRoot() : .infinity
    }
}

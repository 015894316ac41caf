import CVectorKernels
import Exactness

@testable import VectorSearch

/// A small encoder with random weights, and random texts of given lengths for it.
struct EncoderTrial {
    let shape: knot_encoder_shape
    let lengths: [Int]
    private let sizes: [Int]
    private let weights: [Float]
    private let inputs: [Float]

    /// One in a thousand weights is as large as those that make byte codes hard.
    init(
        hidden: Int = 96,
        heads: Int = 3,
        intermediate: Int = 144,
        layers: Int = 2,
        lengths: [Int] = [9, 1, 12, 30],
        hasLargeWeights: Bool = false,
        seed: UInt64
    ) {
        shape = Self.shape(hidden: hidden, heads: heads, intermediate: intermediate, layers: layers)
        self.lengths = lengths
        let square = hidden * hidden
        sizes =
            [square, hidden, square, hidden, square, hidden, square, hidden, hidden, hidden]
            + [hidden * intermediate, intermediate, hidden * intermediate, hidden, hidden, hidden]
        var random = SeededRandom(seed: seed)
        let scale = 4 / Float(hidden).squareRoot()
        weights = (0..<layers * sizes.reduce(0, +)).map { _ in
            random.bell() * (hasLargeWeights && Int.random(in: 0..<1_000, using: &random) == 0 ? 30 : 1) * scale
        }
        inputs = (0..<lengths.reduce(0, +) * hidden).map { _ in 2 * random.bell() }
    }

    static func shape(hidden: Int, heads: Int, intermediate: Int, layers: Int) -> knot_encoder_shape {
        knot_encoder_shape(
            hidden: UInt32(hidden),
            heads: UInt32(heads),
            intermediate: UInt32(intermediate),
            layers: UInt32(layers),
            epsilon: 1e-12
        )
    }

    /// Bytes that the weights take when packed; 0 when the shape is refused.
    static func bytes(_ shape: knot_encoder_shape, _ kernels: Kernels, _ precision: knot_encoder_precision) -> Int {
        unsafe withUnsafePointer(to: shape) { unsafe knot_encoder_bytes(kernels.table, $0, precision) }
    }

    /// The last layer's states of some of the texts, run as one batch.
    func states(_ kernels: Kernels, _ precision: knot_encoder_precision, texts: Range<Int>) -> [Float] {
        let packed = UnsafeMutableRawPointer.allocate(
            byteCount: Self.bytes(shape, kernels, precision),
            alignment: 64
        )
        defer { unsafe packed.deallocate() }
        unsafe pack(kernels, precision, into: packed)
        var starts: [UInt32] = [0]
        for text in texts { starts.append((starts.last ?? 0) + UInt32(lengths[text])) }
        let hidden = Int(shape.hidden)
        let before = lengths[..<texts.lowerBound].reduce(0, +)
        let count = Int(starts.last ?? 0)
        var states = Array(inputs[before * hidden..<(before + count) * hidden])
        unsafe withUnsafePointer(to: shape) { shape in
            let longest = lengths[texts].max() ?? 0
            let scratch = unsafe UnsafeMutableRawPointer.allocate(
                byteCount: knot_encoder_scratch(kernels.table, shape, precision, count, longest),
                alignment: 64
            )
            defer { unsafe scratch.deallocate() }
            unsafe knot_encoder_run(kernels.table, shape, precision, packed, &states, starts, texts.count, scratch)
        }
        return states
    }

    func states(_ kernels: Kernels, _ precision: knot_encoder_precision) -> [Float] {
        states(kernels, precision, texts: 0..<lengths.count)
    }

    /// Every layer by a call of its own, as threads that share the work do.
    private func pack(
        _ kernels: Kernels,
        _ precision: knot_encoder_precision,
        into memory: UnsafeMutableRawPointer
    ) {
        unsafe weights.withUnsafeBufferPointer { weights in
            guard var next = weights.baseAddress else { return }
            let layers = unsafe (0..<Int(shape.layers)).map { _ in
                // The sizes of one layer's tensors add up to its share of the weights.
                let parts = unsafe sizes.map { size in
                    defer { unsafe next += size }
                    return unsafe next
                }
                return unsafe knot_encoder_layer(
                    query: parts[0],
                    query_bias: parts[1],
                    key: parts[2],
                    key_bias: parts[3],
                    value: parts[4],
                    value_bias: parts[5],
                    output: parts[6],
                    output_bias: parts[7],
                    output_norm: parts[8],
                    output_norm_bias: parts[9],
                    up: parts[10],
                    up_bias: parts[11],
                    down: parts[12],
                    down_bias: parts[13],
                    final_norm: parts[14],
                    final_norm_bias: parts[15]
                )
            }
            unsafe withUnsafePointer(to: shape) { shape in
                for layer in 0..<UInt32(unsafe layers.count) {
                    unsafe knot_encoder_pack(kernels.table, shape, precision, layers, layer, 1, memory)
                }
            }
        }
    }
}

import Dispatch

/// Rows as the peers' harness makes them: clusters with a common mean, noise whose spectrum decays, one rotation, length 1.
///
/// The same seed gives the same rows however many threads make them, since each block of rows has its own seed.
struct SyntheticVectors: Sendable {
    /// How fast the noise decays: hard has many directions that matter, easy few, as real embeddings do.
    enum Spectrum: String, CaseIterable, Sendable {
        case hard, easy
    }

    static let dimension = 768
    private static let vectors = Rotation.vectors
    private static let block = 2_048

    private let seed: UInt64
    private let clusters: Int
    private let decay: [SIMD16<Float>]
    private let centers: [SIMD16<Float>]
    private let rotation: Rotation

    init(spectrum: Spectrum, seed: UInt64, clusters: Int = 20_000) {
        var random = RandomLanes(seed: seed)
        self.seed = seed
        self.clusters = clusters
        let decay = (0..<Self.vectors).map { vector in
            var weights = SIMD16<Float>(repeating: 0)
            for lane in 0..<16 {
                let place = Float(vector * 16 + lane)
                weights[lane] = spectrum == .hard ? 1 / (1 + place / 24).squareRoot() : 1 / (1 + place / 12)
            }
            return weights
        }
        let mean = decay.map { $0 * random.normals() * 0.6 }
        var centers: [SIMD16<Float>] = []
        centers.reserveCapacity(clusters * Self.vectors)
        for _ in 0..<clusters {
            for vector in 0..<Self.vectors { centers.append(decay[vector] * random.normals() + mean[vector]) }
        }
        rotation = Rotation(random: &random)
        self.decay = decay
        self.centers = centers
    }

    /// Row-major values of that many rows; rows of different streams are independent draws from the same clusters.
    func rows(_ count: Int, stream: UInt64) -> [Float] {
        unsafe [Float](unsafeUninitializedCapacity: count * Self.dimension) { buffer, initialized in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer), count: count, stream: stream)
            initialized = count * Self.dimension
        }
    }

    /// The rows are written in blocks by all cores; the buffer holds exactly `count` rows.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, count: Int, stream: UInt64) {
        let bytes = Self.dimension * MemoryLayout<Float>.size
        precondition(buffer.count == count * bytes, "the buffer is for another number of rows")
        // Safe: every block writes its own rows and nothing else.
        nonisolated(unsafe) let target = unsafe buffer
        DispatchQueue.concurrentPerform(iterations: (count + Self.block - 1) / Self.block) { block in
            var random = RandomLanes(seed: seed &+ stream &* 0x1_0000_0001 &+ UInt64(block) &* 0xD1B5_4A32_D192_ED03)
            var row = [SIMD16<Float>](repeating: .zero, count: Self.vectors)
            for index in block * Self.block..<min(count, (block + 1) * Self.block) {
                draw(&row, &random)
                // Within the buffer: index < count, and a row takes `bytes`.
                unsafe row.withUnsafeBytes {
                    unsafe target[(index * bytes)..<((index + 1) * bytes)].copyBytes(from: $0)
                }
            }
        }
    }

    private func draw(_ row: inout [SIMD16<Float>], _ random: inout RandomLanes) {
        let spread = random.uniform(0.5...1)
        let center = random.next(below: clusters) * Self.vectors
        for vector in 0..<Self.vectors {
            row[vector] = random.normals() * decay[vector] * spread + centers[center + vector]
        }
        rotation.apply(to: &row)
        var squares = SIMD16<Float>(repeating: 0)
        for vector in 0..<Self.vectors { squares += row[vector] * row[vector] }
        let scale = 1 / squares.sum().squareRoot()
        for vector in 0..<Self.vectors { row[vector] *= scale }
    }
}

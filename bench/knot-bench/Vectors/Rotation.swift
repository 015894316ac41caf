/// A fixed rotation of 768 numbers that leaves no coordinate special: random signs, then sums and differences of all.
///
/// Real embeddings have no privileged axes. Generated ones would, since their noise decays along the axes, and byte
/// codes would look worse on them than they are.
struct Rotation {
    static let vectors = 48
    private let signs: [[SIMD16<Float>]]

    init(random: inout RandomLanes) {
        signs = (0..<2).map { _ in
            (0..<Self.vectors).map { _ in
                let normals = random.normals()
                return SIMD16<Float>(repeating: 1).replacing(with: -1, where: normals .< 0)
            }
        }
    }

    func apply(to row: inout [SIMD16<Float>]) {
        for flips in signs {
            for index in 0..<Self.vectors { row[index] *= flips[index] }
            mixThirds(&row)
            for third in 0..<3 { mixVectors(&row, from: third * 16) }
            for index in 0..<Self.vectors { row[index] = Self.mixLanes(row[index]) * (1.0 / 16) }
        }
    }

    /// A reflection of the three thirds: each becomes itself less two thirds of the sum.
    private func mixThirds(_ row: inout [SIMD16<Float>]) {
        for index in 0..<16 {
            let part = (row[index] + row[index + 16] + row[index + 32]) * (2.0 / 3)
            row[index] -= part
            row[index + 16] -= part
            row[index + 32] -= part
        }
    }

    /// The Hadamard transform across sixteen vectors.
    private func mixVectors(_ row: inout [SIMD16<Float>], from start: Int) {
        var width = 1
        while width < 16 {
            for index in 0..<16 where index & width == 0 {
                let left = row[start + index]
                let right = row[start + index + width]
                row[start + index] = left + right
                row[start + index + width] = left - right
            }
            width *= 2
        }
    }

    /// The Hadamard transform across sixteen lanes: neighbours are added and subtracted, four times over.
    private static func mixLanes(_ vector: SIMD16<Float>) -> SIMD16<Float> {
        var mixed = vector
        for _ in 0..<4 {
            let even = mixed.evenHalf
            let odd = mixed.oddHalf
            mixed = SIMD16(lowHalf: even + odd, highHalf: even - odd)
        }
        return mixed
    }
}

/// A vector and the plain arithmetic that the kernels are held to, written a second time and in another language.
///
/// Sums run in double precision in sixteen lanes, element i in lane i % 16; then lane j takes lane j + 8, j + 4, j + 2 and
/// j + 1. Zeros behind the end change nothing, since no lane is ever -0.
package struct PlainVector {
    private let lanes: [SIMD16<Float>]
    /// 0 when the vector has no direction.
    package let norm: Double

    package init(_ values: [Float]) {
        lanes = stride(from: 0, to: values.count, by: 16).map { start in
            var lane = SIMD16<Float>(repeating: 0)
            for index in start..<min(start + 16, values.count) { lane[index - start] = values[index] }
            return lane
        }
        let square = Self.product(lanes, lanes)
        norm = square.isFinite ? square.squareRoot() : 0
    }

    /// The cosine with another vector; nil when either has no direction.
    package func cosine(with other: PlainVector) -> Float? {
        guard norm > 0, other.norm > 0 else { return nil }
        return Float(Self.product(lanes, other.lanes) / (other.norm * norm))
    }

    private static func product(_ left: [SIMD16<Float>], _ right: [SIMD16<Float>]) -> Double {
        var low = SIMD8<Double>(repeating: 0)
        var high = SIMD8<Double>(repeating: 0)
        for index in 0..<min(left.count, right.count) {
            low += SIMD8<Double>(left[index].lowHalf) * SIMD8<Double>(right[index].lowHalf)
            high += SIMD8<Double>(left[index].highHalf) * SIMD8<Double>(right[index].highHalf)
        }
        let eight = low + high
        let four = eight.lowHalf + eight.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}

import CVectorKernels

extension DenseProducts {
    /// Writes the products of rows that lie one after another, row by row, without taking a copy of either side.
    package func write(
        _ left: Span<Float>,
        with right: Span<Float>,
        dimension: Int,
        into target: inout MutableSpan<Float>
    ) throws(VectorSearchError) {
        guard dimension > 0, dimension <= Int(KNOT_MAX_DIMENSION), left.count % dimension == 0,
            right.count % dimension == 0
        else { throw .wrongDimension(expected: dimension, found: left.count % max(dimension, 1)) }
        let leftCount = left.count / dimension
        let rightCount = right.count / dimension
        let (count, overflow) = leftCount.multipliedReportingOverflow(by: rightCount)
        guard !overflow, target.count == count else {
            throw .unequalCounts("\(target.count) places were given for \(leftCount) × \(rightCount) products")
        }
        guard count > 0 else { return }
        let status = unsafe target.withUnsafeMutableBufferPointer { buffer in
            unsafe left.withUnsafeBufferPointer { left in
                unsafe right.withUnsafeBufferPointer { right -> Int32 in
                    guard let out = buffer.baseAddress, let left = left.baseAddress, let right = right.baseAddress
                    else { return Int32(KNOT_OK) }
                    // Whole rows on both sides and one place for each pair, all checked above.
                    return unsafe knot_products(
                        kernels.table,
                        left,
                        dimension,
                        leftCount,
                        right,
                        dimension,
                        rightCount,
                        dimension,
                        out,
                        rightCount
                    )
                }
            }
        }
        guard status == Int32(KNOT_OK) else { throw .outOfMemory(bytes: right.count * 4) }
    }
}

import CVectorKernels

/// All products of the rows of two matrices in single precision: fast, and not the same bits from every kind of kernels.
package struct DenseProducts: Sendable {
    let kernels: Kernels

    package init(kernels: Kernels = .best) { self.kernels = kernels }

    /// The product of every left row with every right row; of unit rows these are cosines.
    package func products(
        of left: EmbeddingMatrix,
        with right: EmbeddingMatrix
    ) throws(VectorSearchError) -> SimilarityTable {
        var values = [Float](repeating: 0, count: left.count * right.count)
        var target = values.mutableSpan
        try write(left, with: right, into: &target)
        return SimilarityTable(rowCount: left.count, columnCount: right.count, values: values)
    }

    /// Writes the products row by row, `right.count` numbers for each left row, into memory the caller keeps.
    package func write(
        _ left: EmbeddingMatrix,
        with right: EmbeddingMatrix,
        into target: inout MutableSpan<Float>
    ) throws(VectorSearchError) {
        guard left.model == right.model else { throw .mixedModels(left.model, right.model) }
        guard left.dimension == right.dimension else {
            throw .wrongDimension(expected: left.dimension, found: right.dimension)
        }
        let (count, overflow) = left.count.multipliedReportingOverflow(by: right.count)
        guard !overflow, target.count == count else {
            throw .unequalCounts("\(target.count) places were given for \(left.count) × \(right.count) products")
        }
        guard count > 0 else { return }
        try left.verify()
        try right.verify()
        let status = unsafe target.withUnsafeMutableBufferPointer { buffer in
            unsafe left.withRows { left in
                unsafe right.withRows { right -> Int32 in
                    guard let out = buffer.baseAddress else { return Int32(KNOT_OK) }
                    // The target has one place for each pair, checked above.
                    return unsafe knot_products(
                        kernels.table,
                        left.values,
                        left.stride,
                        Int(left.count),
                        right.values,
                        right.stride,
                        Int(right.count),
                        Int(left.dimension),
                        out,
                        Int(right.count)
                    )
                }
            }
        }
        guard status == Int32(KNOT_OK) else { throw .outOfMemory(bytes: right.count * right.stride * 4) }
    }
}

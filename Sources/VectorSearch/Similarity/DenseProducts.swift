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

extension DenseProducts {
    /// Writes the products of some neighbouring rows with some others, row by row, into memory the caller keeps.
    package func write(
        _ left: EmbeddingMatrix,
        rows leftPart: Range<Int>,
        with right: EmbeddingMatrix,
        rows rightPart: Range<Int>,
        into target: inout MutableSpan<Float>
    ) throws(VectorSearchError) {
        precondition(
            leftPart.lowerBound >= 0 && leftPart.upperBound <= left.count && rightPart.lowerBound >= 0
                && rightPart.upperBound <= right.count,
            "a part is outside of the rows"
        )
        guard left.model == right.model else { throw .mixedModels(left.model, right.model) }
        guard left.dimension == right.dimension else {
            throw .wrongDimension(expected: left.dimension, found: right.dimension)
        }
        let (count, overflow) = leftPart.count.multipliedReportingOverflow(by: rightPart.count)
        guard !overflow, target.count == count else {
            throw .unequalCounts(
                "\(target.count) places were given for \(leftPart.count) × \(rightPart.count) products"
            )
        }
        guard count > 0 else { return }
        try left.file?.verifyRows(leftPart)
        try right.file?.verifyRows(rightPart)
        let status = unsafe target.withUnsafeMutableBufferPointer { buffer in
            unsafe left.withRows { left in
                unsafe right.withRows { right -> Int32 in
                    guard let out = buffer.baseAddress else { return Int32(KNOT_OK) }
                    // Both parts lie within their rows, and the target has one place for each pair, all checked above.
                    return unsafe knot_products(
                        kernels.table,
                        left.values + leftPart.lowerBound * left.stride,
                        left.stride,
                        leftPart.count,
                        right.values + rightPart.lowerBound * right.stride,
                        right.stride,
                        rightPart.count,
                        Int(left.dimension),
                        out,
                        rightPart.count
                    )
                }
            }
        }
        guard status == Int32(KNOT_OK) else { throw .outOfMemory(bytes: rightPart.count * right.stride * 4) }
    }
}

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

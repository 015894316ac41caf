import CVectorKernels

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

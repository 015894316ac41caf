import CVectorKernels

/// The stages' similarities, in canonical arithmetic: no CPU and no kind of kernels changes a bit.
package struct KernelSimilarity: Sendable {
    private let kernels: Kernels

    package init(kernels: Kernels = .best) { self.kernels = kernels }

    /// Cosines of rows with columns; a zero vector is similar to nothing; vectors of different models are an error.
    package func similarities(
        of rows: [Embedding],
        to columns: [Embedding]
    ) throws(VectorSearchError) -> SimilarityTable {
        if let model = rows.first?.model ?? columns.first?.model,
            let other = rows.first(where: { $0.model != model }) ?? columns.first(where: { $0.model != model })
        {
            throw .mixedModels(model, other.model)
        }
        guard !rows.isEmpty, !columns.isEmpty else {
            return SimilarityTable(rowCount: rows.count, columnCount: columns.count, values: [])
        }
        let left = try Self.packed(rows)
        let right = try Self.packed(columns)
        return similarities(of: left, to: right)
    }

    /// Cosines of every row of one matrix with every row of another, which have one dimension.
    private func similarities(of left: EmbeddingMatrix, to right: EmbeddingMatrix) -> SimilarityTable {
        let count = left.count * right.count
        let values = unsafe left.withRows { left in
            unsafe right.withRows { right in
                unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
                    filled = count
                    guard let out = buffer.baseAddress else { return }
                    // One number for each pair, and the buffer has room for all of them.
                    unsafe knot_cosines(
                        kernels.table,
                        left.values,
                        left.stride,
                        left.knownNorms,
                        Int(left.count),
                        right.values,
                        right.stride,
                        right.knownNorms,
                        Int(right.count),
                        Int(left.dimension),
                        out
                    )
                }
            }
        }
        return SimilarityTable(rowCount: left.count, columnCount: right.count, values: values)
    }

    private static func packed(_ embeddings: [Embedding]) throws(VectorSearchError) -> EmbeddingMatrix {
        var matrix = try EmbeddingMatrix(model: embeddings.first?.model ?? "", capacity: embeddings.count)
        for embedding in embeddings { try matrix.append(embedding, id: "") }
        return matrix
    }
}

/// The cosines of every row with every column, row by row.
package struct SimilarityTable: Sendable, Equatable {
    package let rowCount: Int
    package let columnCount: Int
    package let values: [Float]

    package init(rowCount: Int, columnCount: Int, values: [Float]) {
        precondition(values.count == rowCount * columnCount, "a table needs one value for each row and column")
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.values = values
    }

    package subscript(row: Int, column: Int) -> Float { values[row * columnCount + column] }
}

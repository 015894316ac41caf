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
        try Self.ensureOneModel(rows, columns)
        guard !rows.isEmpty, !columns.isEmpty else {
            return SimilarityTable(rowCount: rows.count, columnCount: columns.count, values: [])
        }
        let dimension = max(Self.extent(of: rows), Self.extent(of: columns))
        let left = try Self.packed(rows, dimension)
        let right = try Self.packed(columns, dimension)
        return similarities(of: left, 0..<left.count, to: right, 0..<right.count)
    }

    /// The pairs of rows whose cosine is one that is asked for: of each row in turn, with those before it.
    ///
    /// Whoever asks for a cosine asks for all greater ones: most pairs are so far from it that a fast product shows it.
    package func pairs(
        among rows: [Embedding],
        where isAsked: (Float) -> Bool
    ) throws(VectorSearchError) -> [(earlier: Int, later: Int)] {
        try Self.ensureOneModel(rows, [])
        guard rows.count > 1 else { return [] }
        let matrix = try Self.packed(rows, Self.extent(of: rows))
        // Of rows so short or so long that single precision has no numbers for their products, none shows anything.
        let lengths = rows.indices.map { row in
            let norm = matrix.norm(ofRow: row)
            return Self.usualNorms.contains(norm) ? Float(norm) : .nan
        }
        var pairs: [(earlier: Int, later: Int)] = []
        for start in stride(from: 0, to: rows.count, by: Self.band) {
            let band = start..<min(start + Self.band, rows.count)
            var products = [Float](repeating: 0, count: band.count * band.upperBound)
            var target = products.mutableSpan
            try DenseProducts(kernels: kernels)
                .write(matrix, rows: band, with: matrix, rows: 0..<band.upperBound, into: &target)
            for later in band {
                let place = (later - start) * band.upperBound
                let isOpen = (0..<later).contains { earlier in
                    let cosine = products[place + earlier] / (lengths[earlier] * lengths[later])
                    return !cosine.isFinite || isAsked(cosine + Self.mostError)
                }
                guard isOpen else { continue }
                let exact = similarities(of: matrix, 0..<later, to: matrix, later..<later + 1)
                for earlier in 0..<later where isAsked(exact[earlier, 0]) { pairs.append((earlier, later)) }
            }
        }
        return pairs
    }

    /// Rows of one table of products: few, since a table has whole rows and only what lies before each is wanted.
    private static let band = 128
    private static let usualNorms = 1e-9...1e9
    /// A cosine of a fast product is never farther from the exact one; a tenth of it would do for the longest vectors.
    private static let mostError: Float = 1e-3

    private static func ensureOneModel(_ rows: [Embedding], _ columns: [Embedding]) throws(VectorSearchError) {
        guard let model = rows.first?.model ?? columns.first?.model else { return }
        if let other = rows.first(where: { $0.model != model }) ?? columns.first(where: { $0.model != model }) {
            throw .mixedModels(model, other.model)
        }
    }

    /// Cosines of some rows of one matrix with some of another, which have one dimension.
    private func similarities(
        of left: EmbeddingMatrix,
        _ rows: Range<Int>,
        to right: EmbeddingMatrix,
        _ columns: Range<Int>
    ) -> SimilarityTable {
        precondition(
            left.dimension == right.dimension && rows.upperBound <= left.count && columns.upperBound <= right.count,
            "rows that there are not were to be compared"
        )
        let count = rows.count * columns.count
        let values = unsafe left.withRows { left in
            unsafe right.withRows { right in
                unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
                    filled = count
                    guard let out = buffer.baseAddress else { return }
                    // One number for each pair, and the buffer has room for all of them; both matrices have these rows.
                    unsafe knot_cosines(
                        kernels.table,
                        left.values + rows.lowerBound * left.stride,
                        left.stride,
                        left.knownNorms + rows.lowerBound,
                        rows.count,
                        right.values + columns.lowerBound * right.stride,
                        right.stride,
                        right.knownNorms + columns.lowerBound,
                        columns.count,
                        Int(left.dimension),
                        out
                    )
                }
            }
        }
        return SimilarityTable(rowCount: rows.count, columnCount: columns.count, values: values)
    }

    /// So many numbers of each say all: small models' vectors end in zeros, and a zero product leaves a sum as it is.
    private static func extent(of embeddings: [Embedding]) -> Int {
        var extent = 1
        for embedding in embeddings {
            while let last = embedding.values[extent...].lastIndex(where: { $0 != 0 }) { extent = last + 1 }
        }
        return extent
    }

    private static func packed(
        _ embeddings: [Embedding],
        _ dimension: Int
    ) throws(VectorSearchError) -> EmbeddingMatrix {
        var matrix = try EmbeddingMatrix(
            model: embeddings.first?.model ?? "",
            dimension: dimension,
            capacity: embeddings.count
        )
        for embedding in embeddings { try matrix.append(embedding.values.span.extracting(first: dimension), id: "") }
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

import VectorSearch

/// Rows and queries to search, and an index for each way of searching them.
final class VectorCorpus {
    let count: Int
    private let whole: EmbeddingMatrix
    private let queries: [Float]
    /// Smaller bodies of rows are copies, as somebody with fewer rows would have them.
    private var matrices: [Int: EmbeddingMatrix] = [:]
    private var indexes: [String: ExactIndex] = [:]

    private static let model = "generated"
    private static let block = 65_536

    init(count: Int, spectrum: SyntheticVectors.Spectrum) throws {
        let source = SyntheticVectors(spectrum: spectrum, seed: 20_261_121)
        self.count = count
        queries = source.rows(1_024, stream: 0)
        var matrix = try EmbeddingMatrix(model: Self.model, capacity: count)
        for start in stride(from: 0, to: count, by: Self.block) {
            let values = source.rows(min(Self.block, count - start), stream: UInt64(1 + start / Self.block))
            let ids = (start..<min(count, start + Self.block)).map { "row-\($0)" }
            try matrix.append(contentsOf: values.span, ids: ids)
        }
        whole = matrix
    }

    /// The first rows.
    func matrix(_ rows: Int) throws -> EmbeddingMatrix {
        if rows == count { return whole }
        if let known = matrices[rows] { return known }
        var matrix = try EmbeddingMatrix(model: Self.model, capacity: rows)
        for row in 0..<rows {
            let values = try whole.values(ofRow: row)
            try matrix.append(values.span, id: whole.id(ofRow: row))
        }
        matrices[rows] = matrix
        return matrix
    }

    func index(_ choice: KernelChoice, rows: Int) throws -> ExactIndex {
        let key = "\(choice.label) \(rows)"
        if let known = indexes[key] { return known }
        let index = try ExactIndex(
            try matrix(rows),
            kernels: choice.kernels,
            usesCodes: choice.usesCodes,
            threads: Machine.cores
        )
        indexes[key] = index
        return index
    }

    func search(_ choice: KernelChoice, _ call: SearchCall) throws -> SearchEffort {
        try search(try index(choice, rows: call.rows), call)
    }

    func search(_ index: ExactIndex, _ call: SearchCall) throws -> SearchEffort {
        let queries = queries
        let all = queries.span
        return try index.search(
            all.extracting(first: call.queries * SyntheticVectors.dimension),
            limit: call.limit,
            atLeast: call.threshold,
            where: call.selection.map { .rows($0.rows) } ?? .all,
            threads: call.threads
        ).effort
    }

    /// A search in each vault's own rows, with queries of its own; returns the scores' sum, so that somebody wants them.
    func searchVaults(_ index: ExactIndex, _ shape: VaultShape, vaults: Range<Int>) throws -> Float {
        let width = SyntheticVectors.dimension
        let queries = queries
        let all = queries.span
        var sum: Float = 0
        for vault in vaults {
            let first = vault % 500 * shape.queries
            try index.search(
                all.extracting(first * width..<(first + shape.queries) * width),
                in: vault * shape.rows..<(vault + 1) * shape.rows,
                limit: shape.limit
            ) { _, matches in for place in matches.indices { sum += matches[place].score } }
        }
        return sum
    }

    /// Dense tables, each of its own rows with columns from elsewhere.
    func products(
        _ choice: KernelChoice,
        _ shape: TableShape,
        tables: Range<Int>,
        into values: inout [Float]
    ) throws {
        let products = DenseProducts(kernels: choice.kernels)
        let size = shape.rows * shape.columns
        var target = values.mutableSpan
        for table in tables {
            let column = table * 7_919 % (count - shape.columns)
            let place = table - tables.lowerBound
            var part = target._mutatingExtracting(place * size..<(place + 1) * size)
            try products.write(
                whole,
                rows: table * shape.rows..<(table + 1) * shape.rows,
                with: whole,
                rows: column..<column + shape.columns,
                into: &part
            )
        }
    }
}

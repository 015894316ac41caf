import CVectorKernels

/// Vectors of one model as rows of one block of memory, each with an id and its length; a value, copied when written.
///
/// Rows may be anything, also zeros and what is not finite: those have no direction, are never found, and are counted.
package struct EmbeddingMatrix: Sendable {
    package static let mostDimensions = Int(KNOT_MAX_DIMENSION)
    package static let mostRows = Int(UInt32.max)

    package let model: String
    package let dimension: Int
    /// Numbers from the beginning of one row to that of the next: the dimension rounded up to 16, so to whole cache lines.
    package let stride: Int
    /// Where the rows are: in a verified file, or else in `memory`.
    let file: EmbeddingFile?
    private var memory: MatrixMemory

    /// An empty matrix with memory for `capacity` rows.
    package init(model: String, dimension: Int = Embedding.dimension, capacity: Int = 0) throws(VectorSearchError) {
        guard (1...Self.mostDimensions).contains(dimension) else { throw .impossibleDimension(dimension) }
        guard (0...Self.mostRows).contains(capacity) else { throw .tooManyRows(capacity) }
        self.model = model
        self.dimension = dimension
        stride = Self.stride(for: dimension)
        file = nil
        memory = try MatrixMemory(stride: stride, capacity: capacity)
    }

    init(file: EmbeddingFile) throws(VectorSearchError) {
        model = file.layout.model
        dimension = file.layout.dimension
        stride = file.layout.stride
        self.file = file
        memory = try MatrixMemory(stride: stride, capacity: 0)
    }

    /// A copy of `other` whose rows are in memory.
    private init(copying other: EmbeddingMatrix, capacity: Int) throws(VectorSearchError) {
        model = other.model
        dimension = other.dimension
        stride = other.stride
        file = nil
        let ids = other.packedIDs
        memory = try unsafe other.withRows { rows throws(VectorSearchError) in
            try unsafe MatrixMemory(copying: rows, ids: ids, capacity: capacity)
        }
    }

    static func stride(for dimension: Int) -> Int { (dimension + 15) / 16 * 16 }

    package var count: Int { file?.layout.count ?? memory.count }

    package var isEmpty: Bool { count == 0 }

    /// How many rows have no direction: zeros, or not finite.
    package var voidRowCount: Int {
        withNorms { norms in
            var count = 0
            for row in norms.indices where norms[row] == 0 { count += 1 }
            return count
        }
    }

    package func id(ofRow row: Int) -> String {
        precondition(row >= 0 && row < count, "no such row")
        return file?.id(ofRow: row) ?? memory.ids[row]
    }

    /// The canonical length of a row; 0 when it has no direction.
    package func norm(ofRow row: Int) -> Double {
        precondition(row >= 0 && row < count, "no such row")
        return withNorms { $0[row] }
    }

    /// The numbers of one row, copied.
    package func values(ofRow row: Int) throws(VectorSearchError) -> [Float] {
        precondition(row >= 0 && row < count, "no such row")
        try file?.verifyRows(row..<row + 1)
        return unsafe withRows { rows in
            // The row is below the count, and each has `dimension` numbers.
            unsafe Array(UnsafeBufferPointer(start: rows.values + row * rows.stride, count: dimension))
        }
    }

    /// Makes room for that many rows in all.
    package mutating func reserve(_ rows: Int) throws(VectorSearchError) {
        try prepare(rows: max(0, rows - count))
    }

    package mutating func append(_ embedding: Embedding, id: String) throws(VectorSearchError) {
        guard embedding.model == model else { throw .mixedModels(model, embedding.model) }
        try append(embedding.values.span, id: id)
    }

    /// Appends one row of this matrix' model.
    package mutating func append(_ values: Span<Float>, id: String) throws(VectorSearchError) {
        guard values.count == dimension else { throw .wrongDimension(expected: dimension, found: values.count) }
        try prepare(rows: 1)
        memory.append(values, dimension: dimension)
        memory.ids.append(id)
    }

    /// Appends rows that stand one after the other, without padding.
    package mutating func append(contentsOf values: Span<Float>, ids: [String]) throws(VectorSearchError) {
        let (expected, overflow) = ids.count.multipliedReportingOverflow(by: dimension)
        guard !overflow, values.count == expected else {
            throw .unequalCounts("\(values.count) numbers were given for \(ids.count) rows of \(dimension)")
        }
        try prepare(rows: ids.count)
        memory.append(values, dimension: dimension)
        memory.ids.reserve(memory.count)
        for id in ids { memory.ids.append(id) }
    }

    /// Ensures rows of our own in memory, seen by nobody else, with room for more of them.
    private mutating func prepare(rows: Int) throws(VectorSearchError) {
        let (wanted, overflow) = count.addingReportingOverflow(rows)
        guard !overflow, wanted <= Self.mostRows else { throw .tooManyRows(wanted) }
        if let file {
            try file.verify()
            self = try EmbeddingMatrix(copying: self, capacity: wanted)
        } else {
            try memory.prepare(capacity: wanted)
        }
    }

    /// Lends the rows to the kernels for the duration of `body`; unverified rows of a file too.
    func withRows<Result, Failure: Error>(_ body: (knot_rows) throws(Failure) -> Result) throws(Failure) -> Result {
        if let file { return try unsafe file.withRows(body) }
        return try unsafe memory.withRows(dimension: dimension, body)
    }

    func withNorms<Result>(_ body: (Span<Double>) -> Result) -> Result {
        if let file { return file.withNorms(body) }
        return body(memory.norms.span)
    }

    var packedIDs: PackedIDs { file?.packedIDs ?? memory.ids }
}

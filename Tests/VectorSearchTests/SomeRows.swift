import Exactness

@testable import VectorSearch

/// Random rows for tests that care about storage and not about numbers.
enum SomeRows {
    static func matrix(
        count: Int,
        dimension: Int = 20,
        model: String = "plain",
        seed: UInt64 = 7
    ) throws -> EmbeddingMatrix {
        var random = SeededRandom(seed: seed)
        var matrix = try EmbeddingMatrix(model: model, dimension: dimension)
        for row in 0..<count {
            let values = (0..<dimension).map { _ in random.bell() }
            try matrix.append(values.span, id: "gift \(row) ✓")
        }
        return matrix
    }

    /// Whether two matrices hold the same: every number, length and id.
    static func areSame(_ left: EmbeddingMatrix, _ right: EmbeddingMatrix) throws -> Bool {
        guard left.count == right.count, left.dimension == right.dimension, left.model == right.model else {
            return false
        }
        for row in 0..<left.count {
            let (mine, theirs) = (try left.values(ofRow: row), try right.values(ofRow: row))
            guard mine.map(\.bitPattern) == theirs.map(\.bitPattern), left.id(ofRow: row) == right.id(ofRow: row),
                left.norm(ofRow: row) == right.norm(ofRow: row)
            else { return false }
        }
        return true
    }
}

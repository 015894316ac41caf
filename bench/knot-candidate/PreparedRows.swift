import VectorSearch

/// Rows of the harness as a matrix of ours, to be searched as anybody would.
final class PreparedRows: Sendable {
    let matrix: EmbeddingMatrix
    /// Searched by the best kernels, as they like.
    let index: ExactIndex
    /// Searched by the widest kernels that read the rows themselves.
    let floatIndex: ExactIndex
    private let effort = EffortCounter()

    init(_ values: Span<Float>, dimension: Int, makesCodes: Bool, threads: Int) throws(VectorSearchError) {
        let count = values.count / dimension
        var matrix = try EmbeddingMatrix(model: "harness", dimension: dimension, capacity: count)
        try matrix.append(contentsOf: values, ids: [String](repeating: "", count: count))
        self.matrix = matrix
        let widest = Kernels.available.last { !$0.useCodes } ?? .best
        floatIndex = try ExactIndex(matrix, kernels: widest, usesCodes: false)
        index = makesCodes ? try ExactIndex(matrix, threads: threads) : floatIndex
    }

    func search(_ queries: Span<Float>, limit: Int, byFloats: Bool, threads: Int, into answer: inout Answer) {
        do {
            let found = try (byFloats ? floatIndex : index).search(queries, limit: limit, threads: threads)
            effort.add(found.effort)
            for (query, matches) in found.matches.enumerated() {
                for (place, match) in matches.enumerated() { answer.put(match, at: query * limit + place) }
            }
        } catch {
            // The harness' calls have no way to say so.
            preconditionFailure("The search failed: \(error)")
        }
    }

    /// Of all pairs since the last call, how many got a canonical score.
    func takeRescoredShare() -> Double { effort.takeShare() }
}

/// What stages ask of a vector core: all cosines between two lists of embeddings in one call.
package protocol SimilarityEngine: Sendable {
    /// Cosines of rows with columns; a zero vector is similar to nothing; vectors of different models are an error.
    func similarities(of rows: [Embedding], to columns: [Embedding]) throws(VectorSearchError) -> SimilarityTable
}

import KnotDomain
import Recommendation
import TextEncoding
import TextReading
import VectorSearch

/// A catalogue that lies in memory once for a whole process, with a shelf for each provider.
package struct ShelvedCatalogue: Sendable {
    private let shelves: [ProviderName: CatalogueShelf]
    /// How many items there are.
    package let count: Int
    /// How many of them have a vector of the model.
    package let vectorCount: Int

    /// Shelves for items and, where there is a model, the vector that each has of it.
    init(_ candidates: [Candidate], vectors: [Embedding?] = [], model: String? = nil) throws(VectorSearchError) {
        precondition(vectors.isEmpty || vectors.count == candidates.count, "each item has a vector, or nil for none")
        var shelves: [ProviderName: CatalogueShelf] = [:]
        var vectorCount = 0
        for (provider, places) in Dictionary(grouping: candidates.indices, by: { candidates[$0].provider }) {
            let items = places.map { candidates[$0] }
            var meaning: ShelfMeaning?
            if let model, !vectors.isEmpty {
                meaning = try ShelfMeaning(
                    places.map { (vectors[$0] == nil ? "" : MeaningText.of(candidates[$0]), vectors[$0]) },
                    model: model
                )
            }
            vectorCount += meaning?.count ?? 0
            shelves[provider] = CatalogueShelf(items, meaning: meaning)
        }
        self.shelves = shelves
        self.vectorCount = vectorCount
        count = candidates.count
    }

    subscript(provider: ProviderName) -> CatalogueShelf? { shelves[provider] }

    /// The vector of a text that is an item's, so that nobody has to make it again.
    func embedding(of text: TextDigest) throws(VectorSearchError) -> Embedding? {
        for shelf in shelves.values {
            if let embedding = try shelf.meaning?.embedding(of: text) { return embedding }
        }
        return nil
    }
}

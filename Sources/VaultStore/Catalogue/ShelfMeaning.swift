import Recommendation
import TextEncoding
import VectorSearch

/// The vectors of a shelf's items, made ready once to be searched.
struct ShelfMeaning: Sendable {
    let model: String
    private let index: ExactIndex
    /// By row: the place of its item.
    private let places: [Int]
    /// By text as an encoder gets it: the row of an item that says just this.
    private let rows: [TextDigest: Int32]

    /// The vectors of all items, nil where one has none, with the text that each was made of; nil without any.
    init?(_ items: [(text: String, vector: Embedding?)], model: String) throws(VectorSearchError) {
        var matrix = try EmbeddingMatrix(model: model, capacity: items.count)
        var places: [Int] = []
        var rows: [TextDigest: Int32] = [:]
        for (place, item) in items.enumerated() {
            guard let vector = item.vector, vector.model == model, vector.norm > 0 else { continue }
            rows[TextDigest(of: item.text)] = Int32(places.count)
            places.append(place)
            try matrix.append(vector, id: "")
        }
        guard !places.isEmpty else { return nil }
        self.model = model
        self.places = places
        self.rows = rows
        index = try ExactIndex(matrix)
    }

    /// How many items have a vector.
    var count: Int { places.count }

    /// The items nearest to each query, at most so many, best first; equal ones in order.
    func nearest(
        to queries: [Embedding],
        limit: Int
    ) throws(VectorSearchError) -> [[(place: Int, cosine: Double)]] {
        try index.search(queries, limit: limit).matches.map { matches in
            matches.map { (places[$0.row], Double($0.score)) }
        }
    }

    /// The vector of a text that is an item's.
    func embedding(of text: TextDigest) throws(VectorSearchError) -> Embedding? {
        guard let row = rows[text] else { return nil }
        return Embedding(try index.matrix.values(ofRow: Int(row)), model: model)
    }
}

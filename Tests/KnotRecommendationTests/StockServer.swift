import KnotRecommendation

/// The smallest server of searches: its whole stock in one index, wishes in, ids of offers out.
struct StockServer {
    private let index: CatalogueIndex

    /// Takes offers as JSON, in the form of a fixture's `candidates`, and a folder for the index.
    init(offers json: [UInt8], folder: String) throws {
        index = try CatalogueIndex(try Offer.list(json: json).map { IndexedOffer($0) }, folder: folder)
    }

    /// Answers one request: for each wish the ids of at most three gifts for up to so many dollars.
    func answer(_ wishes: [String], dollars: Int) throws -> [[String]] {
        let filter = OfferFilter(kinds: [.gift], total: OfferFilter.Window(0...dollars * 100, currency: "USD"))
        let batch = wishes.map { OfferSearch([SearchPhrase($0)], filter: filter, limit: 3) }
        return try index.search(batch).map { hits in hits.map(\.offer.id) }
    }
}

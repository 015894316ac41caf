import KnotDomain
import Recommendation
import VectorSearch

/// What the catalogue's table holds for one vault alone, read with the vault in the same round trip.
///
/// While nothing is shared by everybody, it answers every search and every look without asking the database again.
package struct CatalogueStock: Sendable {
    /// In the table's order.
    let items: FoundItems
    /// True where the vault's own items are more than one reading takes.
    let isCut: Bool
    /// True where everybody's items are in the table, so that a search has to look at them.
    package let hasShared: Bool
    /// By item, what a look at its page would find.
    private let looks: [CandidateID: Look]

    private struct Look: Sendable {
        let provider: ProviderName
        let probe: AvailabilityProbe
    }

    /// The results of `CatalogueStatements.stock`.
    init(_ own: Rows, _ shared: Rows, model: String?) throws(PostgresError) {
        var items = FoundItems(model: model)
        let places = try items.addAll(own)
        var looks: [CandidateID: Look] = [:]
        for (index, place) in places.enumerated() {
            let row = own[index]
            guard let place else { continue }
            let candidate = items.candidates[place]
            looks[candidate.id] = Look(provider: candidate.provider, probe: try CatalogueChecker.probe(row))
        }
        self.items = items
        self.looks = looks
        isCut = own.count > CatalogueWish.mostItems
        hasShared = try shared.only().decode("has_shared")
    }

    /// True where not even a broken item is the vault's own.
    var isEmpty: Bool { items.candidates.isEmpty && items.problems.isEmpty }
    /// The vault's own items.
    package var count: Int { items.candidates.count }
    /// How many of them have a vector of the model that was asked for.
    package var vectorCount: Int { items.vectors.count { $0 != nil } }

    /// By text as an encoder gets it: the vectors that the vault's own items have.
    var vectors: [String: Embedding] {
        var vectors: [String: Embedding] = [:]
        for (candidate, vector) in zip(items.candidates, items.vectors) {
            if let vector { vectors[MeaningText.of(candidate)] = vector }
        }
        return vectors
    }

    /// What a look at the vault's own item would find; nil for any other.
    func probe(_ candidate: Candidate) -> AvailabilityProbe? {
        guard let look = looks[candidate.id], look.provider == candidate.provider else { return nil }
        return look.probe
    }
}

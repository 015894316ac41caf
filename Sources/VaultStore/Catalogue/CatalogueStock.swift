import KnotDomain
import Recommendation

/// What the catalogue's table holds for one vault alone, read with the vault in the same round trip.
///
/// While nothing is shared by everybody, it answers every search and every look without asking the database again.
package struct CatalogueStock: Sendable {
    /// In the table's order.
    let items: FoundItems
    /// True where the vault's own items are more than one reading takes.
    let isCut: Bool
    /// True where everybody's items are in the table, so that a search has to ask for them.
    let hasShared: Bool
    /// True where an item of the vault's own has a vector, which only the database compares.
    let hasVectors: Bool
    /// By item, what a look at its page would find.
    private let looks: [CandidateID: Look]

    private struct Look: Sendable {
        let provider: ProviderName
        let probe: AvailabilityProbe
    }

    /// The results of `CatalogueStatements.stock`.
    init(_ own: Rows, _ shared: Rows) throws(PostgresError) {
        var items = FoundItems()
        let places = try items.addAll(own)
        var looks: [CandidateID: Look] = [:]
        var hasVectors = false
        for (index, place) in places.enumerated() {
            let row = own[index]
            if try row.decode("has_vector") { hasVectors = true }
            guard let place else { continue }
            let candidate = items.candidates[place]
            looks[candidate.id] = Look(provider: candidate.provider, probe: try CatalogueChecker.probe(row))
        }
        self.items = items
        self.looks = looks
        self.hasVectors = hasVectors
        isCut = own.count > CatalogueWish.mostItems
        hasShared = try shared.only().decode("has_shared")
    }

    /// What a look at the vault's own item would find; nil for any other.
    func probe(_ candidate: Candidate) -> AvailabilityProbe? {
        guard let look = looks[candidate.id], look.provider == candidate.provider else { return nil }
        return look.probe
    }
}

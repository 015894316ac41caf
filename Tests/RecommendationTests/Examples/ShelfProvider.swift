import KnotDomain
import Recommendation
import StageGraph

/// A provider with a shelf of its own; an empty answer means it has nothing, an outage is thrown.
struct ShelfProvider: CandidateProvider {
    static let name: ProviderName = "shelf"

    let shelf: [Candidate]
    let isOpen: Bool

    /// A shelf has presents, whatever they cost and wherever somebody lives.
    let capabilities = [ProviderCapability(name, types: [.gift], searchesPlaces: false, searchesPrices: false)]

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        guard isOpen else { throw StageFailure(.provider, code: "closed", "the shelf is closed today") }
        return Array(shelf.filter { query.types.contains($0.type) }.prefix(query.limit))
    }
}

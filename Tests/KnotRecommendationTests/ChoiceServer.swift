import FoundationEssentials
import KnotRecommendation

/// The smallest server of choices: offers that it holds itself, a vault in, three choices out.
struct ChoiceServer {
    private let recommender: Recommender

    /// Takes offers as JSON, in the form of a fixture's `candidates`.
    init(offers json: [UInt8]) throws {
        let shops = Dictionary(grouping: try Offer.list(json: json), by: \.provider)
        recommender = try Recommender(
            providers: shops.map { Shop(name: $0, stock: $1) },
            availability: Shelves()
        )
    }

    /// Answers one request: the body is a vault as JSON, the answer is one line a choice.
    func answer(_ body: [UInt8], at moment: Date = .now) async throws -> [String] {
        let set = try await recommender.choices(forVault: body, occasion: .majorMilestone, at: moment)
        return set.cards.map { "\($0.title): \($0.neutralReason)" }
    }
}

/// A provider with its own stock.
struct Shop: OfferProvider {
    let name: String
    let stock: [Offer]

    func offers(for query: OfferQuery) async throws -> [Offer] { Array(stock.prefix(query.limit)) }
}

/// Whatever stands on these shelves can be had.
struct Shelves: AvailabilityCheck {
    func isAvailable(_ offer: Offer) async throws -> Bool? { true }
}

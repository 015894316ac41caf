import Foundation
import KnotRecommendation
import Testing

/// What a Swift server gets: everything here is written with the public names alone.
@Suite("The library product") struct RecommenderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The vault and the offers of a judged fixture.
    private static func fixture(_ name: String) throws -> (vault: [UInt8], offers: [UInt8]) {
        let data = try Data(contentsOf: root.appending(path: "fixtures/vaults/\(name).json"))
        let fixture = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let bytes = { (part: String) in try [UInt8](JSONSerialization.data(withJSONObject: try #require(fixture[part])))
        }
        return (try bytes("vault"), try bytes("candidates"))
    }

    private static let moment = Date(timeIntervalSince1970: 1_777_989_600)

    @Test func `answers a vault with three choices of the server's own offers`() async throws {
        let (vault, offers) = try Self.fixture("dev-01")
        let lines = try await ChoiceServer(offers: offers).answer(vault, at: Self.moment)
        #expect(lines.count == 3)
        let known = try Set(Offer.list(json: offers).map(\.id))
        let set = try await Recommender(providers: try Self.shops(offers), availability: Shelves())
            .choices(forVault: vault, occasion: .majorMilestone, at: Self.moment)
        #expect(set.cards.map { "\($0.title): \($0.neutralReason)" } == lines, "the same call has the same answer")
        #expect(set.cards.allSatisfy { known.contains($0.offerID) })
        #expect(set.outcome == "degraded" && set.reasons.contains("no_embedder"))
    }

    @Test func `serves many calls at once`() async throws {
        let (vault, offers) = try Self.fixture("dev-02")
        let server = try ChoiceServer(offers: offers)
        let answers = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<16 { group.addTask { try await server.answer(vault, at: Self.moment) } }
            return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
    }

    @Test func `says every problem of a vault by its path`() async throws {
        let recommender = try Recommender(providers: [Shop(name: "empty", stock: [])], availability: Shelves())
        let error = await #expect(throws: RecommenderError.self) {
            try await recommender.choices(forVault: Array(#"{"partner_name": 7}"#.utf8), occasion: .justBecause)
        }
        #expect(error?.code == .vault && error?.description.contains("$.partner_name") == true)
    }

    @Test func `takes a provider's failure for an outage, and none of another's offers`() async throws {
        let (vault, offers) = try Self.fixture("dev-01")
        let shops = try Self.shops(offers)
        let mixed =
            shops.dropFirst().map { $0 as any OfferProvider } + [Shop(name: "stranger", stock: shops[0].stock), Down()]
        let set = try await Recommender(providers: mixed, availability: Shelves())
            .choices(forVault: vault, occasion: .majorMilestone, at: Self.moment)
        #expect(set.reasons.contains("provider_failed"))
        #expect(set.cards.allSatisfy { $0.provider != shops[0].name && $0.provider != "stranger" })
    }

    @Test func `refuses names that are none, and one name for two`() throws {
        for shops in [[Shop(name: "A shop", stock: [])], [Shop(name: "a", stock: []), Shop(name: "a", stock: [])]] {
            let error = #expect(throws: RecommenderError.self) {
                try Recommender(providers: shops, availability: Shelves())
            }
            #expect(error?.code == .provider)
        }
    }

    private static func shops(_ offers: [UInt8]) throws -> [Shop] {
        Dictionary(grouping: try Offer.list(json: offers), by: \.provider).sorted { $0.key < $1.key }
            .map { Shop(name: $0.key, stock: $0.value) }
    }

    private struct Down: OfferProvider {
        let name = "down"

        func offers(for query: OfferQuery) async throws -> [Offer] { throw CancellationError() }
    }
}

import FileInput
import Foundation
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import Testing

/// Replies that the services once gave, read in place where they are.
@Suite("A recorded reply")
struct SampleTests {
    private static let folder: String? = ProcessInfo.processInfo.environment["KNOT_SHARED"].flatMap { folder in
        let path = "\(folder)/providers/samples"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
    static let absence: Comment = "KNOT_SHARED names no folder with recorded replies: they are not here"
    static var isThere: Bool { folder != nil }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: try #require(Self.folder) + "/" + path, encoding: .utf8)
    }

    @Test(.enabled(if: isThere, absence))
    func `of Yelp brings all its twelve businesses`() async throws {
        let sender = ScriptedSender(try text("yelp/businesses_search.json"))
        let found = try await Adapters.yelp(sender).candidates(for: .invented(.yelp))
        #expect(found.count == 12)
        #expect(found[0].title == "Hog Island Oyster Co" && found[0].reviewCount == 5_790 && found[0].type == .date)
        #expect(found.allSatisfy { $0.priceCents == nil && $0.url.contains("utm_campaign=yelp_api_v3") })
        #expect(found.allSatisfy { $0.location?.city == "San Francisco" && $0.rating != nil })
    }

    /// They are of 2016, so that now is then.
    @Test(.enabled(if: isThere, absence))
    func `of Ticketmaster brings its events with their prices`() async throws {
        let sender = ScriptedSender(try text("ticketmaster/events_search_page.json"))
        let then = try #require(Instant(iso8601: "2016-07-21T00:00:00Z"))
        let adapter = TicketmasterClient(sender: sender, key: Secret("k"), zones: ZoneDirectory(), now: { then })
        let found = try await adapter.candidates(for: .invented(.ticketmaster, until: nil))
        let first = try #require(found.first { $0.id.text == "ticketmaster:17AZv8G6CnMcD1x" })
        #expect(first.title == "¿Qué tan altos son los edificios de Nueva York?")
        #expect(first.priceCents == 13_600 && first.currency == Currency("MXN") && first.type == .date)
        #expect(first.imageURL?.hasPrefix("https://") == true && first.merchant == "MONDIAL PRICE 2")
        #expect(first.startsAt == Instant(iso8601: "2016-08-25T01:30:00Z"))
        #expect(found.allSatisfy { !$0.url.isEmpty && $0.location != nil })
        let missing = HTTPResponse.json(try text("ticketmaster/event_404.json"), status: 404)
        #expect(adapter.failure(of: missing)?.code == "dis1004")
        #expect(adapter.failure(of: missing)?.remedy == ServiceFailure.Remedy.none)
    }

    @Test(.enabled(if: isThere, absence))
    func `of a shop's list brings what is available at its cheapest`() async throws {
        let shop = ShopifyShop(domain: "shop.example", surface: .products, currency: .usd)
        let sender = ScriptedSender(try text("shopify/storefront_products.json"))
        let found = try await Adapters.shopify(sender, shops: [shop]).candidates(for: .invented(.shopify))
        #expect(found.map(\.priceCents) == [120_000, 89_050])
        #expect(
            found.map(\.url) == [
                "https://shop.example/products/led-floodlight-400w-ip65",
                "https://shop.example/products/copper-wire-2-5mm",
            ]
        )
    }

    /// The list for a shop's own staff says of nothing whether it is there: none of it may be offered.
    @Test(.enabled(if: isThere, absence))
    func `of a shop's own books brings nothing`() async throws {
        let shop = ShopifyShop(domain: "shop.example", surface: .products, currency: .usd)
        let sender = ScriptedSender(try text("shopify/admin_rest_products.json"))
        #expect(try await Adapters.shopify(sender, shops: [shop]).candidates(for: .invented(.shopify)).isEmpty)
    }

    /// The retired interface wrote its names in capitals: none of its members is one of today's, and to call that
    /// "nothing found" would keep an empty answer for a day.
    @Test(.enabled(if: isThere, absence))
    func `of the retired Amazon interface is no answer of today's`() async throws {
        let page = try text("amazon/search_items_page.json")
        let sender = ScriptedSender { $0.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(page) }
        let failure = await #expect(throws: StageFailure.self) {
            try await Adapters.amazon(sender).candidates(for: .invented(.amazon))
        }
        #expect(failure?.code == "other_answer")
    }
}

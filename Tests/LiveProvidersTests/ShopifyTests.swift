import FileInput
import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import Testing

@Suite("Shopify's adapter")
struct ShopifyTests {
    private static let shop = ShopifyShop(domain: "kiln.example", token: Secret(Adapters.canary))

    private func found(_ text: String, shops: [ShopifyShop] = [], budget: Budget? = nil) async throws -> [Candidate] {
        try await Adapters.shopify(ScriptedSender(text), shops: shops).candidates(
            for: .invented(.shopify, ["linocut"], types: [.gift], budget: budget, place: nil)
        )
    }

    @Test func `takes a product of all shops with its price in the smallest coins`() async throws {
        let set = try #require(try await found(Replies.shopifyCatalogue).first)
        #expect(set.id == CandidateID("shopify:gid://shopify/p/4f0exampl3") && set.type == .gift)
        #expect(set.title == "Linocut Starter Set" && set.description == "Blocks, inks and three carving tools.")
        #expect(set.url == "https://printshed.example/products/linocut-starter-set")
        #expect(set.priceCents == 4_200 && set.currency == .usd && set.merchant == "Print Shed")
        #expect(set.rating == 4.8 && set.reviewCount == 61)
    }

    @Test func `takes the cheapest offer that can be had in the currency that is asked for`() async throws {
        func variant(_ amount: Int, _ currency: String, _ isThere: Bool) -> String {
            #"{"price":{"amount":\#(amount),"currency":"\#(currency)"},"availability":{"available":\#(isThere)},"seller":{"name":"\#(amount)"}}"#
        }
        let offers = [
            variant(100, "EUR", true), variant(5_000, "USD", true), variant(10, "USD", false),
            variant(4_000, "USD", true),
        ]
        let text = Replies.shopifyCatalogue.replacing(
            #""variants":["#,
            with: #""variants":[\#(offers.joined(separator: ","))],"old":["#
        )
        let dollars = try await found(text, budget: Budget(minimum: 0, maximum: 9_000, currency: .usd))
        #expect(dollars.first.map { [$0.priceCents, Int($0.merchant ?? "")] } == [4_000, 4_000])
    }

    @Test func `reads the catalogue's answer also where it comes as an event`() async throws {
        let sender = ScriptedSender { _ in
            let text = "event: message\ndata: " + Replies.shopifyCatalogue.split(separator: "\n").joined() + "\n\n"
            return HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: Array(text.utf8))
        }
        let found = try await Adapters.shopify(sender).candidates(for: .invented(.shopify, types: [.gift], place: nil))
        #expect(found.count == 1)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `finds the answer among events that only tell of it`(end: String) async throws {
        let answer = Replies.shopifyCatalogue.split(separator: "\n").joined()
        let lines = [
            ": ping", "", "id: 1", "data:", "", "event: message",
            #"data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}"#, "", "event: message",
            "data: " + answer.prefix(16), "data: " + answer.dropFirst(16), "",
        ]
        let sender = ScriptedSender { _ in
            let text = lines.joined(separator: end)
            return HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: Array(text.utf8))
        }
        let found = try await Adapters.shopify(sender).candidates(for: .invented(.shopify, types: [.gift], place: nil))
        #expect(found.count == 1)
    }

    @Test(arguments: [
        ("The Kiln Gift Card ($50)", true), ("Gift Card", true), ("$25 gift voucher for two", true),
        ("E-Gift Card", true), ("Gift Certificate - 100 EUR", true), ("Gift Card Holder Wallet in leather", false),
        ("Gift Card Box", false), ("Speckled Mug", false),
    ])
    func `takes no voucher for a present, and no present for a voucher`(title: String, isVoucher: Bool) async throws {
        let named = Replies.shopifyCatalogue.replacing("Linocut Starter Set", with: title)
        #expect(try await found(named).isEmpty == isVoucher)
    }

    /// Smallest coins are whole, however they are written.
    @Test(arguments: [
        ("4200.0", 4_200), ("4.2e3", 4_200), (#""4200.00""#, 4_200), (#""4200""#, 4_200), ("4200.5", nil),
        ("4e30", nil),
    ])
    func `takes an amount however its number is written`(amount: String, price: Int?) async throws {
        for currency in ["USD", "JPY"] {
            let text = Replies.shopifyCatalogue.replacing(
                #""amount":4200,"currency":"USD""#,
                with: #""amount":\#(amount),"currency":"\#(currency)""#
            )
            #expect(try await found(text).first?.priceCents == price, "\(currency)")
        }
    }

    @Test func `takes of a shop what is published, available and no voucher, with prices from decimal texts`()
        async throws
    {
        let found = try await found(Replies.shopifySearch, shops: [Self.shop])
        #expect(found.map(\.title) == ["Speckled Mug"])
        let mug = try #require(found.first)
        #expect(mug.priceCents == 3_850 && mug.currency == Currency("GBP") && mug.merchant == "Kiln & Co")
        #expect(mug.url == "https://kiln.example/products/mug" && mug.tags == ["Mug", "stoneware", "Kiln"])
    }

    /// One field that nobody may read costs that field.
    @Test func `takes what GraphQL found beside an error of a field`() async throws {
        let error = #"{"message":"Access denied for tags","extensions":{"code":"ACCESS_DENIED"}}"#
        let text = #"{"errors":[\#(error)],"# + Replies.shopifySearch.dropFirst()
        #expect(try await found(text, shops: [Self.shop]).map(\.title) == ["Speckled Mug"])
        let none = #"{"errors":[\#(error)],"data":{"search":{"nodes":[]},"shop":null}}"#
        await #expect(throws: (any Error).self) { _ = try await found(none, shops: [Self.shop]) }
    }

    @Test func `reads a shop's list also where it writes flags as texts, kinds in one text and names in any letters`()
        async throws
    {
        let shop = ShopifyShop(domain: "kiln.example", surface: .products, currency: .usd)
        let text = """
            {"products":[{"id":"7","title":"Mug","handle":"bl\u{E5}-mug","tags":"Clay, hand made","vendor":null,
            "variants":[{"available":"true","price":"12.50"},{"available":"false","price":"1.00"}]},
            {"id":8,"title":"Cup","handle":"caf%C3%A9","variants":[{"available":true,"price":9}]}]}
            """
        let found = try await found(text, shops: [shop])
        #expect(found.map(\.priceCents) == [1_250, 900] && found.first?.tags == ["Clay", "hand made"])
        #expect(found.map { $0.url.dropFirst(30) } == ["bl%C3%A5-mug", "caf%C3%A9"])
    }

    @Test func `needs a list of products where a shop shows its list`() async throws {
        let shop = ShopifyShop(domain: "kiln.example", surface: .products, currency: .usd)
        await #expect { _ = try await found(#"{"data":{}}"#, shops: [shop]) } throws: {
            ($0 as? StageFailure)?.code == "not_products"
        }
    }

    @Test func `names the agent in every call and sends tokens as headers`() throws {
        let budget = Budget(minimum: 2_000, maximum: 9_000, currency: .usd)
        let query = ProviderQuery.invented(.shopify, ["linocut"], types: [.gift], budget: budget, place: nil)
        let all = try #require(Adapters.shopify(ScriptedSender("")).calls(for: query).first?.request)
        #expect(all.sent.contains(#""ucp-agent":{"profile":"https://knot.example/agent.json"}"#))
        #expect(
            all.sent.contains(#""name":"search_catalog""#) && all.sent.contains(#""price":{"min":2000,"max":9000}"#)
        )
        #expect(all.sent.contains(#""currency":"USD","address_country":"US""#))
        let one = try #require(
            Adapters.shopify(ScriptedSender(""), shops: [Self.shop]).calls(for: query).first?.request
        )
        #expect(one.url == "https://kiln.example/api/2026-10/graphql.json")
        #expect(one.sent.contains("X-Shopify-Storefront-Access-Token: \(Adapters.canary)"))
    }

    @Test func `loses one shop alone where one shop is down`() async throws {
        let shops = [Self.shop, ShopifyShop(domain: "closed.example")]
        let sender = ScriptedSender { request in
            request.url.contains("closed")
                ? .json(#"{"errors":"This shop is unavailable"}"#, status: 402) : .json(Replies.shopifySearch)
        }
        let found = try await Adapters.shopify(sender, shops: shops).candidates(
            for: .invented(.shopify, types: [.gift])
        )
        #expect(found.map(\.title) == ["Speckled Mug"])
    }
}

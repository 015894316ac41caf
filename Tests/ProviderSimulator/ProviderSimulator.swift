package import Fixtures
import JSONDocument
import KnotDomain
package import LoopbackServer

/// The five services over HTTP on this machine, in their own shapes: they have the candidates of one fixture.
///
/// Each serves what is its own and can be carried by its shape, the most fitting first, at most as many as it is asked
/// for. Pages of the offers are served too, where they are wanted, as of shops with a host each.
package final class ProviderSimulator: Sendable {
    private let server: LoopbackServer
    /// One host each, as shops have: of one host pages are looked at one by one.
    private let shops: [LoopbackServer]
    private let shelf: SimulatedShelf
    /// What is sent instead of the usual reply, or that itself.
    package typealias Fault = @Sendable (LoopbackRequest, _ usual: LoopbackReply) -> LoopbackReply

    /// Keys that the simulated services take; any other is refused.
    ///
    /// They have the mark of `PlantedSecret`.
    package static let key = "canary-5f1e-simulated-key"
    package static let token = "canary-5f1e-simulated-token"

    /// Hosts that pages are served from.
    private static let shopCount = 40

    /// With `servesPages` offers lead to pages here, else to their own addresses, which are invented.
    ///
    /// Without `leadsToPages` the pages are served, and offers have their own addresses all the same.
    package init(
        _ fixture: Fixture,
        servesPages: Bool = false,
        leadsToPages: Bool = true,
        fault: @escaping Fault = { _, usual in usual }
    ) throws {
        let plain = SimulatedShelf(fixture)
        shops = try (0..<(servesPages ? Self.shopCount : 0)).map { number in
            try LoopbackServer(host: UInt8(number + 2)) { request in fault(request, Self.page(request, plain)) }
        }
        let shelf = shops.isEmpty || !leadsToPages ? plain : plain.leading(to: shops.map(\.url))
        self.shelf = shelf
        server = try LoopbackServer { request in fault(request, Self.reply(to: request, from: shelf)) }
    }

    package var url: String { server.url }
    package var requests: [LoopbackRequest] { server.requests }
    package var shopURLs: [String] { shops.map(\.url) }
    /// Requests for pages, shop by shop.
    package var pageRequests: [LoopbackRequest] { shops.flatMap(\.requests) }
    package var counts: LoopbackServer.Counts { server.counts }

    package func stop() {
        server.stop()
        for shop in shops { shop.stop() }
    }

    /// The variables that make the command ask this simulator.
    package var environment: [String: String] {
        [
            "KNOT_YELP_KEY": Self.key, "KNOT_YELP_URL": "\(url)/yelp",
            "KNOT_TICKETMASTER_KEY": Self.key, "KNOT_TICKETMASTER_URL": "\(url)/ticketmaster",
            "KNOT_AMAZON_CLIENT_ID": Self.key, "KNOT_AMAZON_CLIENT_SECRET": Self.key,
            "KNOT_AMAZON_TAG": "simulated-20", "KNOT_AMAZON_STORE": shelf.store,
            "KNOT_AMAZON_URL": "\(url)/amazon", "KNOT_AMAZON_TOKEN_URL": "\(url)/amazon/token",
            "KNOT_SHOPIFY_PROFILE": "https://agent.example/profile.json", "KNOT_SHOPIFY_URL": "\(url)/shopify",
            "KNOT_FIRECRAWL_KEY": Self.key, "KNOT_FIRECRAWL_URL": "\(url)/firecrawl",
            "KNOT_FIRECRAWL_READS_PAGES": "1",
            // The offers' own addresses are invented, so that nobody should ask the network for them.
            "KNOT_PAGES": shops.isEmpty
                ? "none" : shops.map(\.url).joined(separator: ","),
        ]
    }

    private static func reply(to request: LoopbackRequest, from shelf: SimulatedShelf) -> LoopbackReply {
        let body = try? JSONParser.parse(request.body)
        switch (request.method, request.path) {
        case ("GET", "/yelp/businesses/search"): return yelp(request, shelf)
        case ("GET", "/ticketmaster/events.json"): return ticketmaster(request, shelf)
        case ("POST", "/amazon/token"):
            guard body?["client_secret"]?.string == key, body?["scope"]?.string == "creatorsapi::default" else {
                return .json(#"{"error":"invalid_client"}"#, status: 401)
            }
            return .json(#"{"access_token":"\#(token)","token_type":"bearer","expires_in":3600}"#)
        case ("POST", "/amazon/catalog/v1/searchItems"): return amazon(request, body, shelf)
        case ("POST", "/shopify"): return shopify(body, shelf)
        case ("GET", "/search/suggest.json"): return suggestions(request, shelf)
        case ("POST", "/firecrawl/search"): return firecrawl(request, body, shelf)
        default: return .html("<html><h1>404</h1></html>", status: 404)
        }
    }

    /// The reply of a service that has nothing of what it is asked for.
    package static func nothing(by service: String) -> LoopbackReply {
        switch service {
        case "yelp": .json(#"{"businesses":[],"total":0}"#)
        case "ticketmaster": .json(#"{"page":{"size":20,"totalElements":0,"number":0}}"#)
        case "shopify": .json(#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"products":[]}}}"#)
        case "firecrawl": .json(#"{"success":true,"data":{"web":[]}}"#)
        default: .json("{}")
        }
    }

    private static func page(_ request: LoopbackRequest, _ shelf: SimulatedShelf) -> LoopbackReply {
        let usual = shelf.page(String(request.path.dropFirst("/page/".count)))
        guard request.method == "HEAD", case .bytes(let head)? = usual.steps.first else { return usual }
        return LoopbackReply([.bytes(head)])
    }

    private static func yelp(_ request: LoopbackRequest, _ shelf: SimulatedShelf) -> LoopbackReply {
        func refusal(_ status: Int, _ code: String) -> LoopbackReply {
            .json(#"{"error":{"code":"\#(code)","description":"refused"}}"#, status: status)
        }
        guard request.header("authorization") == "Bearer \(key)" else { return refusal(401, "TOKEN_INVALID") }
        let limit = Int(request.value("limit") ?? "20") ?? -1
        guard (0...50).contains(limit), request.value("location") != nil || request.value("latitude") != nil else {
            return refusal(400, "VALIDATION_ERROR")
        }
        let words = request.value("term") ?? request.value("categories") ?? ""
        let items = shelf.best(.yelp, words, limit).map(SimulatedShapes.business)
        return .json(JSONWriter.text(["businesses": .array(items), "total": .integer(items.count)]))
    }

    private static func ticketmaster(_ request: LoopbackRequest, _ shelf: SimulatedShelf) -> LoopbackReply {
        guard request.value("apikey") == key else {
            return .json(#"{"fault":{"detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}"#, status: 401)
        }
        let size = Int(request.value("size") ?? "20") ?? 0
        guard (1...200).contains(size), request.value("startDateTime")?.contains(".") == false else {
            return .json(#"{"errors":[{"code":"DIS1036","detail":"x","status":"400"}]}"#, status: 400)
        }
        let words = request.value("keyword") ?? ""
        let from = request.value("startDateTime").flatMap(Instant.init(iso8601:))
        let until = request.value("endDateTime").flatMap(Instant.init(iso8601:))
        let events = shelf.best(.ticketmaster, words, 1_000).filter { candidate in
            guard let start = candidate.startsAt else { return false }
            return from.map { start >= $0 } ?? true && until.map { start <= $0 } ?? true
        }
        let page: JSONValue = ["size": .integer(size), "totalElements": .integer(events.count), "number": 0]
        // Where nothing matches, there is no list.
        guard !events.isEmpty else { return .json(JSONWriter.text(["page": page])) }
        let list = events.prefix(size).map { SimulatedShapes.event($0, shelf) }
        return .json(JSONWriter.text(["_embedded": ["events": .array(list)], "page": page]))
    }

    private static func amazon(_ request: LoopbackRequest, _ body: JSONValue?, _ shelf: SimulatedShelf) -> LoopbackReply
    {
        guard request.header("authorization") == "Bearer \(token)", request.header("x-marketplace") == shelf.store
        else {
            return .json(#"{"type":"UnauthorizedException","reason":"InvalidToken"}"#, status: 401)
        }
        guard let words = body?["keywords"]?.string, body?["partnerTag"]?.string != nil else {
            return .json(#"{"type":"ValidationException","reason":"FieldValidationFailed"}"#, status: 400)
        }
        let count = min(10, body?["itemCount"]?.int ?? 10)
        let items = shelf.best(.amazon, words, count).map { SimulatedShapes.item($0, shelf) }
        return .json(JSONWriter.text(items.isEmpty ? [:] : ["searchResult": ["items": .array(items)]]))
    }

    private static func shopify(_ body: JSONValue?, _ shelf: SimulatedShelf) -> LoopbackReply {
        let arguments = body?["params"]?["arguments"]
        guard arguments?["meta"]?["ucp-agent"]?["profile"]?.string != nil else {
            return .json(
                #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool not found: search_catalog"}}"#
            )
        }
        let catalog = arguments?["catalog"]
        let limit = min(50, catalog?["pagination"]?["limit"]?.int ?? 10)
        let products = shelf.best(.shopify, catalog?["query"]?.string ?? "", limit)
            .map { SimulatedShapes.product($0, shelf) }
        let content: JSONValue = [
            "ucp": ["version": "2026-04-08"], "products": .array(products), "pagination": ["has_next_page": false],
        ]
        return .json(JSONWriter.text(["jsonrpc": "2.0", "id": 1, "result": ["structuredContent": content]]))
    }

    /// The search of a single shop's pages, which has what Shopify has.
    private static func suggestions(_ request: LoopbackRequest, _ shelf: SimulatedShelf) -> LoopbackReply {
        guard let words = request.value("q") else { return .json(#"{"status":422}"#, status: 422) }
        let limit = min(10, Int(request.value("resources[limit]") ?? "10") ?? 10)
        let products = shelf.best(.shopify, words, limit).map { SimulatedShapes.suggestion($0, shelf) }
        return .json(JSONWriter.text(["resources": ["results": ["products": .array(products)]]]))
    }

    private static func firecrawl(
        _ request: LoopbackRequest,
        _ body: JSONValue?,
        _ shelf: SimulatedShelf
    ) -> LoopbackReply {
        guard request.header("authorization") == "Bearer \(key)" else {
            return .json(#"{"success":false,"error":"Unauthorized: Invalid token"}"#, status: 401)
        }
        guard let words = body?["query"]?.string, words.utf8.count <= 500 else {
            return .json(#"{"success":false,"error":"Bad Request"}"#, status: 400)
        }
        let reads = body?["scrapeOptions"] != nil
        // A search engine knows what somebody means who wants to buy something.
        let type: CandidateType =
            words.contains("buy gift") ? .gift : words.contains("class or experience") ? .experience : .date
        let pages = shelf.best(.firecrawl, words, 1_000).filter { $0.type == type }
            .prefix(body?["limit"]?.int ?? 10)
            .map { SimulatedShapes.webPage($0, shelf, isRead: reads) }
        let data: JSONValue = ["web": .array(Array(pages))]
        return .json(JSONWriter.text(["success": true, "data": data, "warning": .null, "creditsUsed": 2]))
    }
}

package import FileInput
package import HTTPClient
import ItemPages
package import JSONDocument
package import KnotDomain
package import Recommendation

/// A shop that is asked by itself, beside the catalogue of all shops.
package struct ShopifyShop: Sendable, Hashable {
    /// What a shop is asked by.
    package enum Surface: String, Sendable, CaseIterable {
        /// Storefront GraphQL, with a token or without.
        case graphql
        /// The list of products that a shop shows to everybody.
        case products
    }

    package let domain: String
    package let surface: Surface
    /// The money of the list of products, which does not say it.
    package let currency: Currency
    package let token: Secret?
    package let base: String

    package init(
        domain: String,
        surface: Surface = .graphql,
        currency: Currency = .usd,
        token: Secret? = nil,
        base: String? = nil
    ) {
        self.domain = domain
        self.surface = surface
        self.currency = currency
        self.token = token
        self.base = base ?? "https://\(domain)"
    }
}

/// Shopify: the catalogue of all shops, and shops of one's choice.
package struct ShopifyClient: LiveService {
    package static let usualCatalogue = "https://catalog.shopify.com/api/ucp/mcp"
    private static let version = "2026-10"
    private static let pageSize = 50
    private static let mostCatalogueCalls = 3
    private static let mostShopCalls = 2

    package let sender: any HTTPSender
    package let timeout: Duration
    private let catalogue: Catalogue?
    private let shops: [ShopifyShop]

    /// How the catalogue of all shops is asked.
    package struct Catalogue: Sendable {
        let url: String
        /// Where Shopify reads what we are; every call names it.
        let profile: String
        let token: Secret?

        package init(url: String = usualCatalogue, profile: String, token: Secret? = nil) {
            self.url = url
            self.profile = profile
            self.token = token
        }
    }

    package init(
        sender: any HTTPSender,
        catalogue: Catalogue?,
        shops: [ShopifyShop],
        timeout: Duration = .milliseconds(3_500)
    ) {
        self.sender = sender
        self.catalogue = catalogue
        self.shops = shops
        self.timeout = timeout
    }

    package static let capability = ProviderCapability(
        .shopify,
        types: [.gift],
        searchesPlaces: false,
        searchesPrices: true,
        mostCandidates: 1_000
    )
    package var capability: ProviderCapability { Self.capability }

    /// What part of a call's number is the catalogue; shops count from 0.
    private static let cataloguePart = -1

    /// A wall against robots stands before every shop, and nobody knows its limits; two a second are let pass.
    package let rate: RateLimit? = RateLimit(calls: 2, per: .seconds(1), burst: 2)
    package let isOfManyHosts = true

    package func document(of reply: HTTPResponse) throws(ServiceFailure) -> JSONValue {
        try ShopifyWire.document(of: reply)
    }

    package func calls(for query: ProviderQuery) -> [ServiceCall] {
        guard query.types.contains(.gift) else { return [] }
        let words = AskedPhrases(query, limit: 200).all
        var calls: [ServiceCall] = []
        if let catalogue { calls += words.prefix(Self.mostCatalogueCalls).map { call(catalogue, $0, query) } }
        for (place, shop) in shops.enumerated() {
            switch shop.surface {
            case .products: calls.append(list(of: shop, place))
            case .graphql: calls += words.prefix(Self.mostShopCalls).map { call(shop, place, $0, query) }
            }
        }
        return calls
    }

    private func call(_ catalogue: Catalogue, _ words: String, _ query: ProviderQuery) -> ServiceCall {
        var context: [JSONObject.Member] = [.init(name: "language", value: "en")]
        var filters: [JSONObject.Member] = [.init(name: "available", value: true)]
        if let budget = query.budget {
            context.append(.init(name: "currency", value: .string(budget.currency.code)))
            if let country = CountryTable.country(of: budget.currency) {
                context.append(.init(name: "address_country", value: .string(country)))
            }
            // In the smallest coins, unlike everywhere else at Shopify.
            filters.append(
                .init(name: "price", value: ["min": .integer(budget.minimum), "max": .integer(budget.maximum)])
            )
        }
        let arguments: JSONValue = [
            "meta": ["ucp-agent": ["profile": .string(catalogue.profile)]],
            "catalog": [
                "query": .string(words), "context": .object(JSONObject(context)),
                "filters": .object(JSONObject(filters)),
                "pagination": ["limit": .integer(min(Self.pageSize, query.limit))],
            ],
        ]
        let body: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": ["name": "search_catalog", "arguments": arguments],
        ]
        let bearer = catalogue.token.map { [HTTPHeader("Authorization", "Bearer ", secret: $0)] } ?? []
        return ServiceCall(
            Self.post(catalogue.url, body, bearer, for: words, accept: "application/json, text/event-stream"),
            asks: "all shops query=\(words)",
            part: Self.cataloguePart
        )
    }

    private func call(_ shop: ShopifyShop, _ place: Int, _ words: String, _ query: ProviderQuery) -> ServiceCall {
        let text = """
            query Gifts($words: String!, $first: Int!) { search(query: $words, first: $first, types: [PRODUCT], \
            unavailableProducts: HIDE, sortKey: RELEVANCE) { nodes { ... on Product { id handle title description \
            vendor productType tags availableForSale onlineStoreUrl featuredImage { url } \
            variants(first: 20) { nodes { availableForSale price { amount currencyCode } } } } } } shop { name } }
            """
        let body: JSONValue = [
            "query": .string(text),
            "variables": ["words": .string(words), "first": .integer(min(Self.pageSize, query.limit))],
        ]
        let token = shop.token.map { [HTTPHeader("X-Shopify-Storefront-Access-Token", secret: $0)] } ?? []
        return ServiceCall(
            Self.post(
                "\(shop.base)/api/\(Self.version)/graphql.json",
                body,
                token,
                for: words,
                accept: "application/json"
            ),
            asks: "\(shop.domain) query=\(words)",
            part: place
        )
    }

    private func list(of shop: ShopifyShop, _ place: Int) -> ServiceCall {
        ServiceCall(
            HTTPRequest(
                .get,
                HTTPRequest.url("\(shop.base)/products.json", query: [("limit", "250"), ("page", "1")]),
                headers: [HTTPHeader("Accept", "application/json")],
                // All that a shop has, each with its text.
                limits: HTTPLimits(decodedBytes: 8 << 20)
            ),
            asks: "\(shop.domain) products",
            part: place
        )
    }

    private static func post(
        _ url: String,
        _ body: JSONValue,
        _ headers: [HTTPHeader],
        for words: String,
        accept: String
    ) -> HTTPRequest {
        var request = HTTPRequest(
            .post,
            url,
            headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", accept)] + headers,
            body: Array(JSONWriter.text(body).utf8),
            isIdempotent: true
        )
        request.words = [words]
        return request
    }

    package func failure(of reply: HTTPResponse) -> ServiceFailure? { ShopifyWire.failure(of: reply) }

    package func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate] {
        let json = try ShopifyWire.document(of: reply)
        guard call.part != Self.cataloguePart else {
            return ShopifyWire.catalogueProducts(in: json).compactMap {
                ShopifyMapping.candidate(of: $0, inCurrency: query.budget?.currency)
            }
        }
        let shop = shops[call.part]
        switch shop.surface {
        case .graphql: return ShopifyMapping.candidates(ofSearch: json, in: shop)
        case .products:
            guard json["products"]?.array != nil else {
                throw ServiceFailure("not_products", "shows no list of products at \(shop.domain)")
            }
            return ShopifyMapping.candidates(ofList: json, in: shop)
        }
    }
}

extension ServiceRegistration {
    /// The catalogue of all shops needs a profile that Shopify can read; a shop needs nothing but its name.
    static let shopify = ServiceRegistration(
        ShopifyClient.capability,
        settings: [
            .secret("KNOT_SHOPIFY_KEY", isNeeded: false), .secret(shopKey, isNeeded: false),
            .address("KNOT_SHOPIFY_PROFILE"),
            .address("KNOT_SHOPIFY_URL", usually: ShopifyClient.usualCatalogue), .plain("KNOT_SHOPIFY_SHOPS"),
        ]
    ) { settings throws(SetupProblem) in
        let shops = try shops(settings)
        let profile = try settings.address("KNOT_SHOPIFY_PROFILE")
        guard profile != nil || !shops.isEmpty else {
            throw .missingEither(["KNOT_SHOPIFY_PROFILE", "KNOT_SHOPIFY_SHOPS"])
        }
        let token = try settings.optionalSecret("KNOT_SHOPIFY_KEY")
        let url = try settings.address("KNOT_SHOPIFY_URL") ?? ShopifyClient.usualCatalogue
        let catalogue = profile.map { ShopifyClient.Catalogue(url: url, profile: $0, token: token) }
        return { ShopifyClient(sender: $0, catalogue: catalogue, shops: shops) }
    }

    /// `kiln.example, loom.example:products:GBP`: a shop's host, and how it is asked where not by GraphQL.
    private static func shops(_ settings: ServiceSettings) throws(SetupProblem) -> [ShopifyShop] {
        let token = try settings.optionalSecret(shopKey)
        var shops: [ShopifyShop] = []
        for part in (settings.plain("KNOT_SHOPIFY_SHOPS") ?? "").split(separator: ",") {
            let fields = part.split(separator: ":").map { $0.filter { !$0.isWhitespace } }
            guard let domain = fields.first?.lowercased(), isHost(domain), fields.count <= 3,
                let surface = ShopifyShop.Surface(rawValue: fields.count > 1 ? fields[1] : "graphql"),
                let currency = Currency(fields.count > 2 ? fields[2] : "USD")
            else {
                throw .unusable("KNOT_SHOPIFY_SHOPS is no list such as kiln.example, loom.example:products:GBP")
            }
            shops.append(ShopifyShop(domain: domain, surface: surface, currency: currency, token: token))
        }
        // A token is one shop's, and no other shop is to learn it.
        guard token == nil || shops.filter({ $0.surface == .graphql }).count <= 1 else {
            throw .unusable("\(shopKey) is the token of one shop, and KNOT_SHOPIFY_SHOPS names several to send it to")
        }
        return shops
    }

    private static let shopKey = "KNOT_SHOPIFY_SHOP_KEY"

    private static func isHost(_ text: String) -> Bool {
        text.contains(".") && text.utf8.count <= 253
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
            }
    }
}

import HTTPClient
import JSONDocument
import KnotDomain

/// Shopify's replies; every surface has its own shape, its own errors and its own way to write money.
enum ShopifyWire {
    /// The reply's document; the catalogue may send it as one event of a stream.
    static func document(of reply: HTTPResponse) throws(ServiceFailure) -> JSONValue {
        guard reply.mediaType == "text/event-stream" else { return try reply.json() }
        var data: [UInt8] = []
        for line in reply.body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where line.starts(with: "data:".utf8)
        {
            data += line.dropFirst(5)
        }
        var plain = reply
        plain.headers = ["content-type": "application/json"]
        plain.body = data
        return try plain.json()
    }

    static func failure(of reply: HTTPResponse) -> ServiceFailure? {
        switch reply.status {
        case 200..<300: break
        // A wall against robots, which asking again makes higher; shared addresses meet it without fault.
        case 429, 430:
            return ServiceFailure(
                "http_\(reply.status)",
                "wants to be left alone",
                .pause(reply.retryAfterSeconds ?? .seconds(60))
            )
        // One shop's, while the others are open.
        case 402, 423: return ServiceFailure("shop_unavailable", "has closed the shop")
        default: return .byStatus(reply)
        }
        guard let json = try? document(of: reply) else { return nil }
        if let error = json["errors"]?.items.first {
            return graphFailure(error, isWithData: json["data"]?.object != nil)
        }
        // `errors` is also an object, or a sentence.
        if let errors = json["errors"], errors.array == nil, !errors.isNull {
            return ServiceFailure("refused", "refused the call")
        }
        if let error = json["error"], error.object != nil { return callFailure(error) }
        let content = json.at("result", "structuredContent")
        if content?.at("ucp", "status")?.text == "error" {
            let code = ServiceFailure.code(content?["messages"]?.items.first?["code"]?.text ?? "failed")
            return ServiceFailure(code, "refused the call: \(code)")
        }
        if json.at("result", "isError")?.bool == true { return ServiceFailure("tool_failed", "could not search") }
        return nil
    }

    /// What GraphQL says in a reply whose status is 200.
    private static func graphFailure(_ error: JSONValue, isWithData: Bool) -> ServiceFailure? {
        switch error.at("extensions", "code")?.text {
        case "THROTTLED": ServiceFailure("throttled", "asks to be called less often", .again(after: .seconds(1)))
        case "INTERNAL_SERVER_ERROR": ServiceFailure("internal_server_error", "failed", .again(after: nil))
        case let code?: ServiceFailure(ServiceFailure.code(code), "refused the call: \(ServiceFailure.code(code))")
        // A field that could not be read beside others that could.
        case nil: isWithData ? nil : ServiceFailure("refused", "refused the call")
        }
    }

    private static func callFailure(_ error: JSONValue) -> ServiceFailure {
        let code = error["code"]?.count ?? 0
        let name = "rpc_\(code.magnitude)"
        return code == -32_603
            ? ServiceFailure(name, "failed", .again(after: nil)) : ServiceFailure(name, "refused the call: \(name)")
    }

    struct Product {
        let id: String?
        let title: String?
        let description: String?
        let url: String?
        let kinds: [String]
        let imageURL: String?
        let rating: Double?
        let reviewCount: Int?
        let variants: [Variant]

        init(_ json: JSONValue) {
            id = json["id"]?.text
            title = json["title"]?.text
            let written = json["description"]
            description =
                written?["plain"]?.text ?? written?["markdown"]?.text
                ?? written?["html"]?.text.map(PlainMarkup.text(of:))
            url = json["url"]?.text
            kinds = (json["categories"]?.items ?? []).compactMap { $0["value"]?.text }
            imageURL = json["media"]?.items.first { $0["type"]?.text == "image" }?["url"]?.text
            let most = json.at("rating", "scale_max").flatMap { $0.isNull ? nil : $0.measure ?? 0 } ?? 5
            // A scale that nobody uses makes any number of stars of any value.
            rating = json.at("rating", "value")?.measure.flatMap { value in
                (1...100).contains(most) && (0...most).contains(value) ? value * 5 / most : nil
            }
            reviewCount = json.at("rating", "count")?.count
            variants = (json["variants"]?.items ?? []).map(Variant.init)
        }
    }

    /// One seller's offer of a product.
    struct Variant {
        /// In the smallest coins here, and nowhere else at Shopify.
        let minorUnits: Int?
        let currency: Currency?
        let isAvailable: Bool
        let seller: String?
        let url: String?

        init(_ json: JSONValue) {
            minorUnits = json.at("price", "amount")?.count
            currency = json.at("price", "currency")?.text.flatMap(Currency.init)
            isAvailable = json.at("availability", "available")?.bool ?? false
            seller = json.at("seller", "name")?.text
            url = json["checkout_url"]?.text ?? json["url"]?.text
        }
    }

    static func catalogueProducts(in json: JSONValue) -> [Product] {
        (json.at("result", "structuredContent", "products")?.items ?? []).map(Product.init)
    }
}

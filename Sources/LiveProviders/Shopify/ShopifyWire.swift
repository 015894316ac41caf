import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain

/// Shopify's replies; every surface has its own shape, its own errors and its own way to write money.
enum ShopifyWire {
    /// The reply's document; the catalogue may send it as an event of a stream, among others that only tell of it.
    static func document(of reply: HTTPResponse) throws(ServiceFailure) -> JSONValue {
        guard reply.mediaType == "text/event-stream" else { return try reply.json() }
        return try reply.read { () throws(ServiceFailure) in try answer(in: reply) }
    }

    private static func answer(in stream: HTTPResponse) throws(ServiceFailure) -> JSONReply {
        var event = stream
        var failure = ServiceFailure("no_answer", "replied with a stream that has no answer in it")
        for data in events(in: stream.body) {
            event.body = data
            do throws(ServiceFailure) {
                let reply = try event.jsonReply()
                if reply.value["result"] != nil || reply.value["error"] != nil { return reply }
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Events of one stream that are looked at.
    private static let mostEvents = 1_000

    /// What each event of a stream holds: its lines of data, up to a line that is empty.
    private static func events(in stream: [UInt8]) -> [[UInt8]] {
        var events: [[UInt8]] = []
        var data: [UInt8] = []
        var start = 0
        for end in 0...stream.count where events.count < mostEvents {
            let isLast = end == stream.count
            guard isLast || stream[end] == 0x0A || stream[end] == 0x0D else { continue }
            let line = stream[start..<end]
            start = end + 1
            // A line ends with either or with both.
            if !isLast, line.isEmpty, stream[end] == 0x0A, end > 0, stream[end - 1] == 0x0D { continue }
            if line.starts(with: "data:".utf8) {
                data += line.dropFirst(5)
                data.append(0x0A)
            }
            if line.isEmpty || isLast, !data.allSatisfy({ $0 == 0x20 || $0 == 0x0A }) {
                events.append(data)
                data = []
            }
        }
        return events
    }

    /// Longer no run waits for an answer.
    private static let longestWait = Duration.seconds(3)

    static func failure(of reply: HTTPResponse) -> ServiceFailure? {
        switch reply.status {
        case 200..<300: break
        case 429, 430:
            let (code, wait) = ("http_\(reply.status)", reply.retryAfterSeconds)
            if reply.status == 429, let wait, wait <= longestWait {
                return ServiceFailure(code, "asks to be called less often", .again(after: wait))
            }
            // A wall against robots, which asking again makes higher; shared addresses meet it without fault.
            return ServiceFailure(code, "wants to be left alone", .pause(wait ?? .seconds(60)))
        // One shop's, while the others are open.
        case 402, 423: return ServiceFailure("shop_unavailable", "has closed the shop", .closed(.seconds(86_400)))
        default: return .byStatus(reply)
        }
        guard let json = try? document(of: reply) else { return nil }
        if let other = ServiceFailure.ofNoService(json, members: ["result", "error", "errors", "data", "products"]) {
            return other
        }
        let errors = json["errors"]?.items ?? []
        if !errors.isEmpty { return graphFailure(errors, beside: json["data"]) }
        // `errors` is also an object, or a sentence.
        if let errors = json["errors"], errors.array == nil, !errors.isNull {
            return ServiceFailure("refused", "refused the call")
        }
        if let error = json["error"], !error.isNull { return callFailure(error) }
        let content = json.at("result", "structuredContent")
        let messages = content?["messages"]?.items ?? []
        let error = messages.first { $0["type"]?.text == "error" }
        // Some say so by a message alone, where there is no list.
        if content?.at("ucp", "status")?.text == "error" || error != nil && content?["products"]?.array == nil {
            let code = ServiceFailure.code((error ?? messages.first)?["code"]?.text ?? "failed")
            return ServiceFailure(code, "refused the call: \(code)")
        }
        if json.at("result", "isError")?.flag == true { return ServiceFailure("tool_failed", "could not search") }
        // A tool that has found nothing says so in what it brings; one that brings nothing has not searched.
        if json["result"] != nil, content?.object == nil {
            return ServiceFailure("no_content", "replied with a result that has nothing in it")
        }
        return nil
    }

    /// What GraphQL says in a reply whose status is 200: of several errors the one that tells best what helps.
    private static func graphFailure(_ errors: ArraySlice<JSONValue>, beside data: JSONValue?) -> ServiceFailure? {
        let codes = errors.map { error in
            error.at("extensions", "code")?.text ?? (error["message"]?.text == "Throttled" ? throttled : nil)
        }
        if codes.contains(throttled) {
            return ServiceFailure("throttled", "asks to be called less often", .again(after: .seconds(1)))
        }
        let written = codes.lazy.compactMap { $0 }.first { $0 != broken }
        if written == nil, codes.contains(broken) {
            return ServiceFailure("internal_server_error", "failed", .again(after: nil))
        }
        // A field that could not be read beside others that could.
        let isInPart = data?.at("search", "nodes")?.items.isEmpty == false
        if isInPart || written == nil && data?.object != nil { return nil }
        guard let written else { return ServiceFailure("refused", "refused the call") }
        let code = ServiceFailure.code(written)
        return ServiceFailure(code, "refused the call: \(code)")
    }

    private static let throttled = "THROTTLED"
    private static let broken = "INTERNAL_SERVER_ERROR"

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
            isAvailable = json.at("availability", "available")?.flag ?? false
            seller = json.at("seller", "name")?.text
            url = json["checkout_url"]?.text ?? json["url"]?.text
        }
    }

    static func catalogueProducts(in json: JSONValue) -> [Product] {
        (json.at("result", "structuredContent", "products")?.items ?? []).map(Product.init)
    }
}

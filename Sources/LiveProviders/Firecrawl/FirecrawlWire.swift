import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain

/// Firecrawl's replies as far as they are used.
enum FirecrawlWire {
    /// How pages are read where they are: what is sold, and where and when it happens; never from an old copy.
    static let reading: JSONValue = [
        "formats": [
            "product",
            [
                "type": "json",
                "prompt": """
                What this page itself says of what it offers: where and when it takes place, how many days its \
                delivery takes at most, its stars of five and from how many reviews; nothing that it does not say.
                """,
                "schema": [
                    "type": "object",
                    "properties": [
                        "city": ["type": "string"], "region": ["type": "string"], "country": ["type": "string"],
                        "starts_at": ["type": "string", "description": "ISO 8601 with its offset"],
                        "delivery_days": [
                            "type": "integer", "description": "days until it is delivered, the later end",
                        ],
                        "rating": ["type": "number"], "review_count": ["type": "integer"],
                    ],
                ],
            ],
        ],
        "maxAge": 0,
    ]

    struct Page {
        let url: String?
        let title: String?
        let description: String?
        let site: String?
        let imageURL: String?
        /// The status that the page itself had; a page that failed is found and paid for all the same.
        let status: Int?
        let product: Product?
        let place: Place?
        let startsAt: String?
        let deliveryDays: Int?
        let rating: Double?
        let reviewCount: Int?

        init(_ json: JSONValue) {
            let metadata = json["metadata"]
            url = metadata?["url"]?.text ?? json["url"]?.text
            title = json["title"]?.text ?? metadata?["title"]?.text
            description = json["description"]?.text ?? metadata?["description"]?.text
            site = metadata?["ogSiteName"]?.text ?? metadata?["og:site_name"]?.text
            imageURL = metadata?["ogImage"]?.text ?? metadata?["og:image"]?.text
            status = metadata?["statusCode"]?.count
            product = json["product"].flatMap { $0.object == nil ? nil : Product($0) }
            let said = json["json"]
            place = said.map {
                Place(city: $0["city"]?.text, state: $0["region"]?.text, country: $0["country"]?.text)
            }
            startsAt = said?["starts_at"]?.text
            deliveryDays = said?["delivery_days"]?.count
            rating = said?["rating"]?.measure
            reviewCount = said?["review_count"]?.count
        }
    }

    struct Product {
        let title: String?
        let description: String?
        let brand: String?
        let kind: String?
        let url: String?
        let variants: [Variant]

        init(_ json: JSONValue) {
            title = json["title"]?.text
            description = json["description"]?.text
            brand = json["brand"]?.text
            kind = json["category"]?.text
            url = json["url"]?.text
            variants = (json["variants"]?.items ?? []).map(Variant.init)
        }
    }

    struct Variant {
        let isInStock: Bool
        let amount: DecimalAmount?
        let currency: Currency?
        let imageURL: String?

        init(_ json: JSONValue) {
            isInStock = json.at("availability", "inStock")?.flag ?? false
            amount = json.at("price", "amount")?.decimal
            currency = json.at("price", "currency")?.text.flatMap(Currency.init)
            imageURL = json["images"]?.items.first?["url"]?.text
        }
    }

    /// The pages of a search; one guide still shows them as a plain list.
    static func pages(in json: JSONValue) -> [Page] {
        let data = json["data"]
        return (data?["web"]?.items ?? data?.items ?? []).map(Page.init)
    }

    static func failure(of reply: HTTPResponse) -> ServiceFailure? {
        let json = reply.document
        var status = reply.status
        if (200..<300).contains(status) {
            // Some errors come without the word that nothing has succeeded.
            let isError = json?["data"]?.isNull != false && json?["error"]?.isNull == false
            guard json?["success"]?.flag == false || isError else {
                return .ofNoService(json, members: ["data", "success"])
            }
            let sentence = (json?["error"]?.text ?? "").lowercased()
            guard let said = sentences.first(where: { sentence.contains($0.words) }) else {
                return ServiceFailure("refused", "refused the call")
            }
            status = said.status
        }
        let code = json?["code"]?.text.map(ServiceFailure.code)
        switch status {
        case 402: return ServiceFailure("no_credits", "has no credits left", .pause(.seconds(86_400)))
        case 429:
            return ServiceFailure(
                code ?? "http_429",
                "asks to be called less often",
                .again(after: reply.retryAfterSeconds ?? json?["error"]?.text.flatMap(wait) ?? .seconds(1))
            )
        default: return .byStatus(reply, code: code)
        }
    }

    /// What an error says under a status that says that all is well, and the status that is meant.
    private static let sentences = [
        ("rate limit", 429), ("concurrency limit", 429), ("insufficient credits", 402), ("payment required", 402),
    ].map { (words: $0.0, status: $0.1) }

    /// The wait in a sentence such as "please retry after 40s, resets at", which some errors have in place of the header.
    private static func wait(in sentence: String) -> Duration? {
        guard let start = sentence.firstRange(of: "retry after ")?.upperBound else { return nil }
        let digits = sentence[start...].prefix { $0.isASCII && $0.isNumber }
        let isInSeconds = sentence[digits.endIndex...].first == "s"
        return Int(digits).flatMap { isInSeconds && $0 <= 86_400 ? .seconds($0) : nil }
    }
}

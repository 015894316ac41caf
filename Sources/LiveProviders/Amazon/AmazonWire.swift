import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain

/// Amazon's replies as far as they are used; every member may be missing.
enum AmazonWire {
    static let tokenExpired = "tokenexpired"

    struct Item {
        let asin: String?
        let url: String?
        let title: String?
        let features: [String]
        let brand: String?
        let imageURL: String?
        let listings: [Listing]
        let rating: Double?
        let reviewCount: Int?
        /// The store's departments that it stands in, and its product group.
        let kinds: [String]

        init(_ json: JSONValue) {
            asin = json["asin"]?.text
            url = json["detailPageURL"]?.text
            let info = json["itemInfo"]
            title = info?.at("title", "displayValue")?.text
            features = (info?.at("features", "displayValues")?.items ?? []).compactMap(\.text)
            brand = info?.at("byLineInfo", "brand", "displayValue")?.text
            let images = json.at("images", "primary")
            imageURL = ["highRes", "large", "medium"].lazy.compactMap { images?.at($0, "url")?.text }.first
            listings = (json.at("offersV2", "listings")?.items ?? []).map(Listing.init)
            rating = json.at("customerReviews", "starRating", "value")?.measure
            reviewCount = json.at("customerReviews", "count")?.count
            let nodes = json.at("browseNodeInfo", "browseNodes")?.items ?? []
            kinds =
                nodes.compactMap { $0["displayName"]?.text }
                + [info?.at("classifications", "productGroup", "displayValue")?.text].compactMap { $0 }
        }
    }

    struct Listing {
        let amount: DecimalAmount?
        let currency: Currency?
        let availability: String?
        /// A sentence for people, which is all that is said of delivery.
        let availabilityMessage: String?
        let condition: String?
        let merchant: String?
        let isBuyBoxWinner: Bool
        /// A lightning deal, a subscription; nil for a plain offer.
        let type: String?
        /// Whether the price is hidden, or is for members alone.
        let hidesPrice: Bool
        /// Pieces that have to be ordered at least; nil where that cannot be read.
        let leastQuantity: Int?

        init(_ json: JSONValue) {
            let money = json.at("price", "money")
            amount = money?["amount"]?.decimal
            currency = money?["currency"]?.text.flatMap(Currency.init)
            availability = json.at("availability", "type")?.text
            availabilityMessage = json.at("availability", "message")?.text
            condition = Self.word(json["condition"]?["value"] ?? json["condition"])
            merchant = json.at("merchantInfo", "name")?.text
            isBuyBoxWinner = json["isBuyBoxWinner"]?.flag ?? false
            type = Self.word(json["type"])
            // An access that is not known is none for all.
            let access = Self.word(json.at("dealDetails", "accessType"))
            hidesPrice = json["violatesMAP"]?.mayBeTrue ?? false || access.map { $0 != "ALL" } ?? false
            let least = json.at("availability", "minOrderQuantity")
            leastQuantity = least.map { $0.isNull ? 1 : $0.count.map { max(1, $0) } } ?? 1
        }

        /// What is said is something, also where nobody can read it: no plain new offer is made of that.
        private static func word(_ value: JSONValue?) -> String? {
            value.flatMap { $0.isNull ? nil : $0.text ?? "unreadable" }
        }
    }

    /// What a search or a look at items brought; both may bring less than was asked for, and nothing is no error.
    static func items(in json: JSONValue) -> [Item] {
        (json.at("searchResult", "items") ?? json.at("itemsResult", "items"))?.items.map(Item.init) ?? []
    }

    /// How codes begin that ask for fewer calls.
    private static let throttles = ["throttl", "toomanyrequests", "requestthrottled"]

    static func failure(of reply: HTTPResponse) -> ServiceFailure? {
        if (200..<300).contains(reply.status) {
            // Errors may lie beside results, which are then all there are.
            guard let json = try? reply.json(), let first = json["errors"]?.items.first, items(in: json).isEmpty else {
                // Nothing found may be said by saying nothing; a token comes by the same way.
                let members = [
                    "searchResult", "itemsResult", "errors", "access_token", "requestId", "totalResultCount",
                ]
                return .ofNoService(try? reply.json(), members: members, mayBeEmpty: true)
            }
            let code = ServiceFailure.code(first["code"]?.text ?? "failed")
            if throttles.contains(where: code.hasPrefix) {
                return ServiceFailure(code, "asks to be called less often", .again(after: .seconds(1)))
            }
            return ["noresults", "itemnotaccessible"].contains(code)
                ? nil : ServiceFailure(code, "refused the call: \(code)")
        }
        let json = reply.document
        if reply.status == 404, json?["type"]?.text == "ResourceNotFoundException" { return nil }
        let reason = json?["reason"]?.text ?? json?["type"]?.text
        let code = reason.map(ServiceFailure.code)
        let detail = code.map { "refused the call: \($0)" }
        switch (reply.status, code) {
        case (401, tokenExpired): return ServiceFailure(tokenExpired, "no longer takes the token")
        case (403, _):
            // An account that lost its rights gets them back after days, not after seconds.
            return ServiceFailure(code ?? "http_403", detail ?? "refuses the account", .pause(.seconds(86_400)))
        default: return .byStatus(reply, code: code, detail)
        }
    }

    /// What a refused token means; nothing of it is tried again but an outage.
    static func tokenFailure(of reply: HTTPResponse) -> ServiceFailure? {
        let code = reply.document?["error"]?.text.map(ServiceFailure.code)
        return .byStatus(reply, code: code, code.map { "gives no token: \($0)" })
    }
}

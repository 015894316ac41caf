import Foundation
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation
import Synchronization

/// A sender whose answers a test writes; it keeps what was asked.
final class ScriptedSender: HTTPSender {
    typealias Answer = @Sendable (HTTPRequest) throws(HTTPFailure) -> HTTPResponse

    private let answer: Answer
    private let asked = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    convenience init(_ text: String, status: Int = 200, headers: [(String, String)] = []) {
        self.init { _ in .json(text, status: status, headers: headers) }
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try answer(request)
    }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        let all = [("content-type", "application/json; charset=utf-8")] + headers
        return HTTPResponse(
            status: status,
            headers: HTTPHeaders(all.map { HTTPHeader($0.0, $0.1) }),
            body: Array(text.utf8)
        )
    }

    static func page(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["content-type": "text/html"], body: Array("<html>Sorry</html>".utf8))
    }
}

extension HTTPRequest {
    /// What a service would read of a request, wherever it stands.
    var sent: String {
        let headers = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        let text = String(decoding: body ?? [], as: UTF8.self)
        return "\(url.removingPercentEncoding ?? url)\n\(headers)\n\(text)"
    }
}

extension ProviderQuery {
    /// A query of somebody in San Francisco who likes cooking and jazz.
    static func invented(
        _ provider: ProviderName,
        _ phrases: [String] = ["pour over kettle", "cooking", "jazz quartet", "music"],
        types: [CandidateType] = CandidateType.allCases,
        budget: Budget? = nil,
        place: Place? = Place(city: "San Francisco", state: "CA", country: "US"),
        until: CivilDate? = CivilDate(year: 2026, month: 12, day: 24),
        limit: Int = 2_000
    ) -> ProviderQuery {
        ProviderQuery(
            provider: provider,
            phrases: phrases,
            types: types,
            budget: budget,
            place: place,
            until: until,
            limit: limit
        )
    }
}

/// Replies in the services' own shapes, as their contracts show them.
enum Replies {
    static let yelp = """
        {"total":240,"region":{"center":{"latitude":37.7726,"longitude":-122.4099}},"businesses":[
        {"id":"Zq3mK0c9aLr2VtY8xPw1Ng","alias":"copper-kettle","name":"Copper Kettle Cooking Studio",
        "image_url":"https://s3-media0.fl.yelpcdn.com/bphoto/EXAMPLE/o.jpg","is_closed":false,
        "url":"https://www.yelp.com/biz/copper-kettle?adjust_creative=CLIENT&utm_campaign=yelp_api_v3",
        "review_count":214,"categories":[{"alias":"cookingclasses","title":"Cooking Classes"}],"rating":4.6,
        "coordinates":{"latitude":37.7712,"longitude":-122.4135},"transactions":[],
        "location":{"address1":"88 Example St","address2":null,"address3":"","city":"San Francisco","zip_code":"94103",
        "country":"US","state":"CA","display_address":["88 Example St","San Francisco, CA 94103"]},
        "phone":"+14155550134","display_phone":"(415) 555-0134","distance":412.7},
        {"id":"closed0000000000000000","name":"Gone","is_closed":true,"url":"https://www.yelp.com/biz/gone"}]}
        """

    static let ticketmaster = """
        {"_embedded":{"events":[{"name":"Harbor Lights Quartet","type":"event","id":"G5vYZ9exampl1","test":false,
        "url":"https://www.ticketmaster.com/event/0B00600000EXAMPLE","locale":"en-us",
        "images":[{"ratio":"3_2","url":"https://s1.ticketm.net/small.jpg","width":305,"height":203,"fallback":true},
        {"ratio":"16_9","url":"http://s1.ticketm.net/dam/a/000/example.jpg","width":1136,"height":639,"fallback":false}],
        "sales":{"public":{"startDateTime":"2026-09-01T17:00:00Z","startTBD":false,"endDateTime":"2026-12-12T03:00:00Z"}},
        "dates":{"start":{"localDate":"2026-12-11","localTime":"19:30:00","dateTime":"2026-12-12T03:30:00Z",
        "dateTBD":false,"dateTBA":false,"timeTBA":false,"noSpecificTime":false},"timezone":"America/Los_Angeles",
        "status":{"code":"onsale"},"spanMultipleDays":false},
        "classifications":[{"primary":true,"segment":{"id":"KZFzniwnSyZfZ7v7nJ","name":"Music"},
        "genre":{"id":"KnvZfZ7vAvE","name":"Jazz"},"subGenre":{"id":"x","name":"Undefined"}}],
        "_embedded":{"venues":[{"name":"Pier Hall","type":"venue","id":"KovZexample","timezone":"America/Los_Angeles",
        "city":{"name":" San Francisco "},"state":{"name":"California","stateCode":"CA"},
        "country":{"name":"United States Of America","countryCode":"US"},"address":{"line1":"1 Example Pier"},
        "location":{"longitude":"-122.3937","latitude":"37.7955"}}]}}]},
        "_links":{"self":{"href":"/discovery/v2/events.json?size=1"}},
        "page":{"size":1,"totalElements":41,"totalPages":41,"number":0}}
        """

    static let amazon = """
        {"searchResult":{"totalResultCount":146,"searchURL":"https://www.amazon.com/s?k=kettle&tag=example-20",
        "items":[{"asin":"B0EXAMPLE1","detailPageURL":"https://www.amazon.com/dp/B0EXAMPLE1?tag=example-20&linkCode=osi",
        "images":{"primary":{"large":{"url":"https://m.media-amazon.com/images/I/EX._SL500_.jpg","height":500,"width":500}}},
        "itemInfo":{"title":{"displayValue":"Gooseneck Pour-Over Kettle, 0.9 L","label":"Title","locale":"en_US"},
        "features":{"displayValues":["Counter-balanced handle","Built-in thermometer"],"label":"Features"},
        "byLineInfo":{"brand":{"displayValue":"Brewline","label":"Brand","locale":"en_US"}}},
        "offersV2":{"listings":[{"availability":{"type":"IN_STOCK","message":"In Stock","minOrderQuantity":1},
        "condition":{"value":"New"},"isBuyBoxWinner":true,"merchantInfo":{"id":"ATVPDKIKX0DER","name":"Amazon.com"},
        "price":{"money":{"amount":64.95,"currency":"USD","displayAmount":"$64.95"}},"type":null,"violatesMAP":false}]},
        "customerReviews":{"count":812,"starRating":{"value":4.6}}}]}}
        """

    static let shopifyCatalogue = """
        {"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"ucp":{"version":"2026-04-08"},"products":[
        {"id":"gid://shopify/p/4f0exampl3","title":"Linocut Starter Set",
        "description":{"plain":"Blocks, inks and three carving tools."},
        "url":"https://printshed.example/products/linocut-starter-set",
        "price_range":{"min":{"amount":4200,"currency":"USD"},"max":{"amount":4200,"currency":"USD"}},
        "media":[{"type":"image","url":"https://cdn.shopify.com/s/files/1/0000/linocut.jpg","alt_text":"Linocut set"}],
        "variants":[{"id":"gid://shopify/ProductVariant/40000000001","title":"Default",
        "price":{"amount":4200,"currency":"USD"},"availability":{"available":true},
        "seller":{"name":"Print Shed","links":[]}}],"rating":{"value":4.8,"scale_max":5,"count":61}}],
        "pagination":{"has_next_page":false}}}}
        """

    static let shopifySearch = """
        {"data":{"shop":{"name":"Kiln & Co"},"search":{"nodes":[{"id":"gid://shopify/Product/1","handle":"mug",
        "title":"Speckled Mug","description":"Thrown by hand.","vendor":"Kiln","productType":"Mug","tags":["stoneware"],
        "availableForSale":true,"onlineStoreUrl":"https://kiln.example/products/mug","featuredImage":null,
        "variants":{"nodes":[{"availableForSale":true,"price":{"amount":"38.5","currencyCode":"GBP"}},
        {"availableForSale":false,"price":{"amount":"12.0","currencyCode":"GBP"}}]}},
        {"id":"gid://shopify/Product/2","title":"Hidden","availableForSale":true,"onlineStoreUrl":null,
        "variants":{"nodes":[{"availableForSale":true,"price":{"amount":"5.0","currencyCode":"GBP"}}]}},
        {"id":"gid://shopify/Product/3","title":"Gift Card","productType":"Gift Card","availableForSale":true,
        "onlineStoreUrl":"https://kiln.example/products/card",
        "variants":{"nodes":[{"availableForSale":true,"price":{"amount":"25.0","currencyCode":"GBP"}}]}}]}}}
        """

    static let firecrawl = """
        {"success":true,"data":{"web":[{"url":"https://kilnroom.example/classes/wheel-throwing",
        "title":"Wheel Throwing for Two","description":"Two-hour evening session, clay and firing included.",
        "position":1}]},"warning":null,"id":"0199e0c2-0000-7000-8000-000000000001","creditsUsed":2}
        """

    /// A page that was read where it is.
    static let firecrawlRead = """
        {"success":true,"data":{"web":[{"url":"https://kilnroom.example/mug","title":"Speckled Mug",
        "description":"Thrown by hand.","position":1,
        "metadata":{"url":"https://kilnroom.example/mug","statusCode":200,"ogSiteName":"Kiln Room",
        "ogImage":"https://kilnroom.example/mug.jpg","title":"Mug"},
        "product":{"title":"Speckled Mug","description":"Stoneware.","brand":"Kiln","category":"Mugs",
        "url":"https://kilnroom.example/mug","variants":[{"availability":{"inStock":true},
        "price":{"amount":38.5,"currency":"GBP"},"images":[{"url":"https://kilnroom.example/a.jpg"}]}]},
        "json":{"city":"San Francisco","region":"CA","country":"US","starts_at":"2026-12-11T19:30:00-08:00",
        "delivery_days":4,"rating":4.5,"review_count":12}}]},"creditsUsed":6}
        """

    static let token = #"{"access_token":"token-canary","token_type":"bearer","expires_in":3600}"#
}

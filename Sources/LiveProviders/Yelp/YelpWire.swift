import HTTPClient
import ItemPages
import JSONDocument

/// Yelp's replies as far as they are used; all but a few members may be missing.
enum YelpWire {
    struct Page {
        let businesses: [Business]
        let center: (latitude: Double, longitude: Double)?

        init(_ json: JSONValue) {
            businesses = (json["businesses"]?.items ?? []).map(Business.init)
            if let latitude = json.at("region", "center", "latitude")?.measure,
                let longitude = json.at("region", "center", "longitude")?.measure
            {
                center = (latitude, longitude)
            } else {
                center = nil
            }
        }
    }

    struct Business {
        let id: String?
        let name: String?
        let url: String?
        let imageURL: String?
        /// For good, and not only for today; also where it is said in a way that nobody reads.
        let isClosed: Bool
        let rating: Double?
        let reviewCount: Int?
        let categories: [(alias: String, title: String)]
        let city: String?
        let state: String?
        let country: String?

        init(_ json: JSONValue) {
            id = json["id"]?.text
            name = json["name"]?.text
            url = json["url"]?.text
            imageURL = json["image_url"]?.text
            isClosed = json["is_closed"]?.mayBeTrue ?? false
            rating = json["rating"]?.measure
            reviewCount = json["review_count"]?.count
            categories = (json["categories"]?.items ?? []).compactMap { category in
                guard let alias = category["alias"]?.text else { return nil }
                return (alias, category["title"]?.text ?? alias)
            }
            let location = json["location"]
            city = location?["city"]?.text
            state = location?["state"]?.text
            country = location?["country"]?.text
        }
    }

    /// `{"error": {"code", "description"}}`; the description has also been an object with another error in it.
    private static func code(in json: JSONValue) -> String? {
        json.at("error", "code")?.text ?? json.at("error", "description", "error", "code")?.text
    }

    static func failure(of reply: HTTPResponse) -> ServiceFailure? {
        let json = reply.document
        let written = json.flatMap(code)
        let code = written.map(ServiceFailure.code)
        let isSuccess = (200..<300).contains(reply.status)
        // What cannot be read at all says why when it is read.
        if isSuccess, json == nil || json?["businesses"]?.array != nil { return nil }
        // Nothing may also be no list.
        if isSuccess, written == nil, json?["total"]?.count == 0 { return nil }
        if isSuccess, written == nil,
            let other = ServiceFailure.ofNoService(json, members: ["businesses", "total", "error"])
        {
            return other
        }
        switch (reply.status, written) {
        case (_, "ACCESS_LIMIT_REACHED"):
            return ServiceFailure("quota_used", "has no calls left today", .usedUp(untilMidnight(reply)))
        case (429, _), (_, "TOO_MANY_REQUESTS_PER_SECOND"):
            return ServiceFailure(code ?? "http_429", "asks to be called less often", .again(after: .seconds(1)))
        case (200..<300, _):
            let detail = code.map { "refused the call: \($0)" } ?? "replied without a list of businesses"
            return ServiceFailure(code ?? "no_businesses", detail)
        default:
            return .byStatus(reply, code: code, code.map { "refused the call: \($0)" })
        }
    }

    /// Until `RateLimit-ResetTime`, measured by the reply's own clock; a day where it says nothing.
    private static func untilMidnight(_ reply: HTTPResponse) -> Duration {
        ReplyClock.wait(until: reply.headers["ratelimit-resettime"], in: reply) ?? .seconds(86_400)
    }
}

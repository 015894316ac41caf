import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain

/// Ticketmaster's replies as far as they are used.
enum TicketmasterWire {
    struct Event {
        let id: String?
        let name: String?
        let url: String?
        let isTest: Bool
        let info: String?
        let imageURL: String?
        /// In universal time; missing where the time is not fixed yet.
        let startsAt: String?
        let localDate: String?
        let localTime: String?
        let zone: String?
        let status: String?
        let salesStart: String?
        let salesEnd: String?
        /// Segment, genre and subgenre, without those that say nothing.
        let kinds: [String]
        let segmentID: String?
        /// Classes of the service beside the genre, such as `Parking`.
        let types: [String]
        let promoter: String?
        let attractionID: String?
        let venue: Venue?
        let price: Price?

        init(_ json: JSONValue) {
            id = json["id"]?.text
            name = json["name"]?.text
            url = json["url"]?.text
            isTest = json["test"]?.mayBeTrue ?? false
            info = json["info"]?.text ?? json["description"]?.text
            imageURL = Self.image(of: json["images"]?.items ?? [])
            let start = json.at("dates", "start")
            func isOpen(_ names: String...) -> Bool { names.contains { start?[$0]?.mayBeTrue == true } }
            // A day that is not fixed yet is a stand-in, and so is a time.
            let hasDay = !isOpen("dateTBD", "dateTBA")
            let hasTime = hasDay && !isOpen("timeTBA", "noSpecificTime")
            startsAt = hasTime ? start?["dateTime"]?.text : nil
            localDate = hasDay ? start?["localDate"]?.text : nil
            localTime = hasTime ? start?["localTime"]?.text : nil
            let state = json.at("dates", "status")
            let code = state?["code"] ?? (state?.object == nil ? state : nil)
            status = code.flatMap { $0.isNull ? nil : $0.text?.lowercased() ?? Self.unreadable }
            salesStart = json.at("sales", "public", "startDateTime")?.text
            salesEnd = json.at("sales", "public", "endDateTime")?.text
            let all = json["classifications"]?.items ?? []
            let main = all.first { $0["primary"]?.flag == true } ?? all.first
            segmentID = main?.at("segment", "id")?.text
            types = ["type", "subType"].compactMap { main?.at($0, "name")?.text }
            kinds = ["segment", "genre", "subGenre"].compactMap { main?.at($0, "name")?.text }
                .filter { !["Undefined", "Other"].contains($0) }
            promoter = json.at("promoter", "name")?.text ?? json["promoters"]?.items.first?["name"]?.text
            attractionID = json.at("_embedded", "attractions")?.items.first?["id"]?.text
            venue = json.at("_embedded", "venues")?.items.first.map(Venue.init)
            zone = json.at("dates", "timezone")?.text ?? venue?.zone
            price = (json["priceRanges"]?.items ?? []).lazy.compactMap(Price.init).first
        }

        /// A status of which nobody can say what it is.
        private static let unreadable = "unreadable"

        /// A wide picture of the event itself rather than a stand-in of its kind.
        private static func image(of images: ArraySlice<JSONValue>) -> String? {
            func rank(_ image: JSONValue) -> Int {
                (image["ratio"]?.text == "16_9" ? 4 : 0) + ((image["width"]?.count ?? 0) >= 640 ? 2 : 0)
                    + (image["fallback"]?.flag == false ? 1 : 0)
            }
            let best = images.enumerated().max { (rank($0.element), $1.offset) < (rank($1.element), $0.offset) }
            guard let address = best?.element["url"]?.text else { return nil }
            return address.hasPrefix("http://") ? "https://" + address.dropFirst(7) : address
        }
    }

    struct Venue {
        let id: String?
        let name: String?
        let city: String?
        let state: String?
        let country: String?
        let zone: String?

        init(_ json: JSONValue) {
            id = json["id"]?.text
            name = json["name"]?.text
            city = json.at("city", "name")?.text
            state = json.at("state", "stateCode")?.text
            country = json.at("country", "countryCode")?.text
            zone = json["timezone"]?.text
        }
    }

    /// The range of the plain tickets; one that begins with nothing does not say what they cost.
    struct Price {
        let minimum: DecimalAmount
        let currency: Currency

        init?(_ json: JSONValue) {
            guard json["type"]?.text == "standard", let minimum = json["min"]?.decimal,
                let currency = json["currency"]?.text.flatMap(Currency.init),
                minimum.minorUnits(of: currency) != 0
            else { return nil }
            self.minimum = minimum
            self.currency = currency
        }
    }

    /// What matched; where nothing did, the list is missing.
    static func events(in json: JSONValue) -> [Event] {
        (json.at("_embedded", "events")?.items ?? []).map(Event.init)
    }

    /// The code of a reply: what stands before the service and the service itself write it differently.
    private static func code(in json: JSONValue) -> String? {
        json.at("fault", "detail", "errorcode")?.text ?? json["errors"]?.items.first?["code"]?.text
    }

    static func failure(of reply: HTTPResponse) -> ServiceFailure? {
        let json = reply.document
        let written = json.flatMap(code)
        let isSuccess = (200..<300).contains(reply.status)
        if isSuccess, written == nil || json?["_embedded"] != nil {
            return .ofNoService(json, members: ["page", "_embedded"])
        }
        // "policies.ratelimit.QuotaViolation": the last word says it.
        let code = (written?.split(separator: ".").last).map { ServiceFailure.code(String($0)) }
        switch (reply.status, code) {
        case (_, "quotaviolation"):
            return ServiceFailure("quota_used", "has no calls left today", .usedUp(untilReset(reply)))
        case (429, _), (_, "spikearrestviolation"):
            return ServiceFailure(code ?? "http_429", "asks to be called less often", .again(after: .seconds(1)))
        default:
            let detail = code.map { "refused the call: \($0)" }
            return .byStatus(reply, code: code, detail)
                ?? ServiceFailure(code ?? "refused", detail ?? "refused the call")
        }
    }

    /// Until `Rate-Limit-Reset`, milliseconds since 1970; a day where it says nothing.
    private static func untilReset(_ reply: HTTPResponse) -> Duration {
        guard let reset = reply.headers["rate-limit-reset"].flatMap(Int64.init) else { return .seconds(86_400) }
        return ReplyClock.wait(until: Instant(millisecondsSinceEpoch: reset), in: reply) ?? .seconds(86_400)
    }
}

package import FileInput
package import HTTPClient
import JSONDocument
package import KnotDomain
package import Recommendation
import TextReading

/// Yelp Places: businesses near a place, by category and by words.
///
/// A tier of `$` is no price, so nothing of it has one; what the service sends may be kept for a day.
package struct YelpClient: LiveService {
    package static let usualBase = "https://api.yelp.com/v3"
    /// More results than these no call brings, and a larger number is refused.
    private static let pageSize = 50
    /// Every call counts against a small daily quota: one by categories and so many by words.
    private static let mostWordCalls = 3
    private static let mostCategories = 12
    /// Whoever asks further away than this from the town has been misunderstood.
    private static let mostKilometresAway = 250.0

    package let sender: any HTTPSender
    package let timeout: Duration
    private let base: String
    private let key: Secret

    package init(sender: any HTTPSender, key: Secret, base: String = usualBase, timeout: Duration = .seconds(3)) {
        self.sender = sender
        self.key = key
        self.base = base
        self.timeout = timeout
    }

    package static let capability = ProviderCapability(
        .yelp,
        types: [.date, .experience],
        searchesPlaces: true,
        searchesPrices: false,
        mostCandidates: 200,
        quota: ProviderCapability.Quota(calls: 300, per: .seconds(86_400))
    )
    package var capability: ProviderCapability { Self.capability }

    /// But for ids, nothing of it may be kept for longer.
    package let keeping = Duration.seconds(86_400)

    /// The service has a limit that it does not publish; five a second is what people find, and three are let pass.
    package let rate: RateLimit? = RateLimit(calls: 3, per: .seconds(1))

    package func calls(for query: ProviderQuery) -> [ServiceCall] {
        guard let place = query.place, let town = Self.location(place) else { return [] }
        let asked = AskedPhrases(query, limit: 100)
        let near = [("location", town)]
        var calls: [ServiceCall] = []
        let categories = asked.interests.flatMap(YelpCategories.aliases(of:)).prefix(Self.mostCategories)
        if !categories.isEmpty {
            calls.append(call([("categories", categories.joined(separator: ","))] + near, query))
        }
        for words in asked.words.prefix(Self.mostWordCalls) { calls.append(call([("term", words)] + near, query)) }
        if calls.isEmpty { calls.append(call(near, query)) }
        return calls
    }

    private func call(_ asked: [(name: String, value: String)], _ query: ProviderQuery) -> ServiceCall {
        var values = asked
        if let locale = CountryTable.yelpLocale(of: query.place?.country) { values.append(("locale", locale)) }
        values.append(("limit", String(min(Self.pageSize, query.limit))))
        var request = HTTPRequest(
            .get,
            HTTPRequest.url(base + "/businesses/search", query: values),
            headers: [HTTPHeader("Authorization", "Bearer ", secret: key), HTTPHeader("Accept", "application/json")]
        )
        request.words = asked.filter { $0.name == "term" }.map(\.value)
        let shown = asked.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return ServiceCall(request, asks: "businesses \(shown)", type: .date)
    }

    /// The place as Yelp's geocoder reads it; nil where no town is known, since a country is no place to go to.
    private static func location(_ place: Place) -> String? {
        guard let city = place.city else { return nil }
        let text = [city, place.state, place.country].compactMap { $0 }.joined(separator: ", ")
        return BoundaryText.clean(text, limit: 200)
    }

    package func failure(of reply: HTTPResponse) -> ServiceFailure? { YelpWire.failure(of: reply) }

    /// A town that the geocoder does not know today is asked for once by its coordinates.
    package func other(
        than call: ServiceCall,
        after failure: ServiceFailure,
        for query: ProviderQuery
    ) -> ServiceCall? {
        guard failure.code == "location_not_found", let town = query.place.flatMap(Gazetteer.shared.town),
            let start = call.request.url.firstRange(of: "location=")
        else { return nil }
        let end = call.request.url[start.upperBound...].firstIndex(of: "&") ?? call.request.url.endIndex
        var request = call.request
        request.url.replaceSubrange(
            start.lowerBound..<end,
            with: "latitude=\(town.latitude)&longitude=\(town.longitude)"
        )
        return ServiceCall(request, asks: call.asks, cost: call.cost, type: call.type)
    }

    package func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate] {
        let page = YelpWire.Page(try reply.json())
        // A name that nobody knows is placed somewhere all the same.
        if let center = page.center, let town = query.place.flatMap(Gazetteer.shared.town) {
            let away = Gazetteer.kilometres(town, latitude: center.latitude, longitude: center.longitude)
            guard away < Self.mostKilometresAway else {
                throw ServiceFailure("wrong_place", "searched somewhere else than near the town")
            }
        }
        return page.businesses.compactMap { YelpMapping.candidate(of: $0, near: query.place) }
    }
}

extension ServiceRegistration {
    static let yelp = ServiceRegistration(
        YelpClient.capability,
        settings: [.secret("KNOT_YELP_KEY"), .address("KNOT_YELP_URL", usually: YelpClient.usualBase)]
    ) { settings throws(SetupProblem) in
        let key = try settings.secret("KNOT_YELP_KEY")
        let base = try settings.address("KNOT_YELP_URL") ?? YelpClient.usualBase
        return { YelpClient(sender: $0, key: key, base: base) }
    }
}

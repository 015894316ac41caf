package import FileInput
package import HTTPClient
package import KnotDomain
package import Recommendation
import TextReading

/// Ticketmaster Discovery: events near a place within the days that count.
///
/// Prices are gone from what it sends, so its offers have none, unless they come back.
package struct TicketmasterClient: LiveService {
    package static let usualBase = "https://app.ticketmaster.com/discovery/v2"
    /// A page of 200 events is some megabytes.
    private static let pageSize = 50
    private static let mostWordCalls = 2
    private static let kilometres = 50

    package let sender: any HTTPSender
    package let timeout: Duration
    private let base: String
    private let key: Secret
    private let zones: any ZoneSource
    /// What counts as now where the run does not say.
    private let now: @Sendable () -> Instant

    package init(
        sender: any HTTPSender,
        key: Secret,
        base: String = usualBase,
        zones: any ZoneSource,
        now: @escaping @Sendable () -> Instant,
        timeout: Duration = .seconds(3)
    ) {
        self.sender = sender
        self.key = key
        self.base = base
        self.zones = zones
        self.now = now
        self.timeout = timeout
    }

    package static let capability = ProviderCapability(
        .ticketmaster,
        types: [.experience, .date],
        searchesPlaces: true,
        searchesPrices: false,
        mostCandidates: 150,
        quota: ProviderCapability.Quota(calls: 5_000, per: .seconds(86_400))
    )
    package var capability: ProviderCapability { Self.capability }

    /// Five a second by the documentation, two by its questions and answers.
    package let rate: RateLimit? = RateLimit(calls: 2, per: .seconds(1), burst: 3)

    package func calls(for query: ProviderQuery) -> [ServiceCall] {
        guard let place = query.place, let near = Self.near(place) else { return [] }
        let asked = AskedPhrases(query, limit: 100)
        var calls: [ServiceCall] = []
        let segments = TicketmasterSegments.ids(of: asked.interests)
        if !segments.isEmpty {
            calls.append(call([("segmentId", segments.joined(separator: ","))] + near, query))
        }
        for words in asked.words.prefix(Self.mostWordCalls) { calls.append(call([("keyword", words)] + near, query)) }
        if calls.isEmpty { calls.append(call(near, query)) }
        return calls
    }

    private func call(_ asked: [(name: String, value: String)], _ query: ProviderQuery) -> ServiceCall {
        var values = asked
        let now = query.asOf ?? now()
        // The day's beginning, so that all runs of a day ask the same and may have the same reply; what has begun is left
        // out of what comes.
        let day = LocalDateTime(secondsSinceEpoch: Int(now.secondsSinceEpoch)).date
        let start = LocalDateTime(secondsSinceEpoch: day.daysSinceEpoch * 86_400)
        values.append(("startDateTime", "\(start)Z"))
        if let until = query.until {
            // The last day ends everywhere some hours after it ends in universal time.
            let end = LocalDateTime(secondsSinceEpoch: (until.daysSinceEpoch + 2) * 86_400)
            if end.secondsSinceEpoch > now.secondsSinceEpoch { values.append(("endDateTime", "\(end)Z")) }
        }
        values += [("locale", "*"), ("size", String(min(Self.pageSize, query.limit)))]
        let shown = asked.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        // The key is part of the URL here, which is why nobody shows a query.
        let url = HTTPRequest.url(base + "/events.json", query: values + [("apikey", key.exposed)])
        var request = HTTPRequest(.get, url, headers: [HTTPHeader("Accept", "application/json")])
        request.words = asked.filter { $0.name == "keyword" }.map(\.value)
        // Which was the very second of the run.
        let second = LocalDateTime(secondsSinceEpoch: Int(now.secondsSinceEpoch))
        var earlier = request
        earlier.url = url.replacing(HTTPRequest.encoded("\(start)Z"), with: HTTPRequest.encoded("\(second)Z"))
        request.earlierForms = [earlier]
        return ServiceCall(request, asks: "events \(shown)", type: .experience)
    }

    /// A circle around the town, since a town's name misses its suburbs; by name where nobody knows where it is.
    private static func near(_ place: Place) -> [(name: String, value: String)]? {
        if let town = Gazetteer.shared.town(place) {
            return [
                ("geoPoint", Geohash.text(latitude: town.latitude, longitude: town.longitude)),
                ("radius", String(kilometres)), ("unit", "km"),
            ]
        }
        guard let city = place.city else { return nil }
        let country = place.country.map { [(name: "countryCode", value: $0)] } ?? []
        return [("city", BoundaryText.clean(city, limit: 100))] + country
    }

    package func failure(of reply: HTTPResponse) -> ServiceFailure? { TicketmasterWire.failure(of: reply) }

    package func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate] {
        ServiceOffer.distinct(try offers(in: reply, to: call, for: query))
    }

    package func offers(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [ServiceOffer] {
        let mapping = TicketmasterMapping(zones: zones, now: query.asOf ?? now(), until: query.until)
        return mapping.offers(of: TicketmasterWire.events(in: try reply.json()))
    }
}

/// A point as letters and digits, each of which makes it more exact.
package enum Geohash {
    private static let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz")

    /// Six of them are about a kilometre, which is as exact as a town may be told.
    package static func text(latitude: Double, longitude: Double, length: Int = 6) -> String {
        var (low, high) = ((-90.0, -180.0), (90.0, 180.0))
        var text = ""
        var isLongitude = true
        for _ in 0..<length {
            var digit = 0
            for _ in 0..<5 {
                if isLongitude {
                    let middle = (low.1 + high.1) / 2
                    digit = digit << 1 | (longitude >= middle ? 1 : 0)
                    if longitude >= middle { low.1 = middle } else { high.1 = middle }
                } else {
                    let middle = (low.0 + high.0) / 2
                    digit = digit << 1 | (latitude >= middle ? 1 : 0)
                    if latitude >= middle { low.0 = middle } else { high.0 = middle }
                }
                isLongitude.toggle()
            }
            text.append(digits[digit])
        }
        return text
    }
}

extension ServiceRegistration {
    static let ticketmaster = ServiceRegistration(
        TicketmasterClient.capability,
        settings: [
            .secret("KNOT_TICKETMASTER_KEY"),
            .address("KNOT_TICKETMASTER_URL", usually: TicketmasterClient.usualBase),
        ]
    ) { settings throws(SetupProblem) in
        let key = try settings.secret("KNOT_TICKETMASTER_KEY")
        let base = try settings.address("KNOT_TICKETMASTER_URL") ?? TicketmasterClient.usualBase
        return { TicketmasterClient(sender: $0, key: key, base: base, zones: settings.zones, now: settings.now) }
    }
}

package import FileInput
package import HTTPClient
import ItemPages
import JSONDocument
package import KnotDomain
package import Recommendation

/// Firecrawl: pages of the web found by words, and what they sell where pages are read.
///
/// What a search says of a page has no price; only a page that was read has one.
package struct FirecrawlClient: LiveService {
    package static let usualBase = "https://api.firecrawl.dev/v2"
    private static let pageSize = 10

    package let sender: any HTTPSender
    package let timeout: Duration
    private let base: String
    private let key: Secret
    /// Whether every page found is read: its price becomes known, at five credits a page and some seconds.
    private let readsPages: Bool

    package init(
        sender: any HTTPSender,
        key: Secret,
        base: String = usualBase,
        readsPages: Bool = false,
        timeout: Duration? = nil
    ) {
        self.sender = sender
        self.key = key
        self.base = base
        self.readsPages = readsPages
        self.timeout = timeout ?? (readsPages ? .seconds(12) : .milliseconds(3_500))
    }

    package static let capability = ProviderCapability(
        .firecrawl,
        searchesPlaces: true,
        searchesPrices: false,
        mostCandidates: 30,
        quota: ProviderCapability.Quota(calls: 10, per: .seconds(60))
    )
    package var capability: ProviderCapability { Self.capability }

    /// Ten searches a minute on the smallest plan: three at once and one every nine seconds are never more.
    package let rate: RateLimit? = RateLimit(calls: 7, per: .seconds(60), burst: 3)

    /// One call for each kind of thing, since a page does not say which kind it is.
    package func calls(for query: ProviderQuery) -> [ServiceCall] {
        let words = AskedPhrases(query, limit: 120).all
        guard !words.isEmpty else { return [] }
        return query.types.enumerated().map { turn, type in
            // Kinds take turns with the phrases, so that the first phrase is not asked three times alone.
            call(words[turn % words.count], type, query)
        }
    }

    private func call(_ words: String, _ type: CandidateType, _ query: ProviderQuery) -> ServiceCall {
        let place = query.place
        let town = type == .gift ? nil : place?.city.map { BoundaryText.clean($0, limit: 80) }
        let intent =
            switch type {
            case .gift: "\(words) buy gift"
            case .experience: "\(words) class or experience"
            case .date: "\(words) for two, evening"
            }
        let text = [intent, town.map { "in \($0)" }].compactMap { $0 }.joined(separator: " ")
        var body: [JSONObject.Member] = [
            .init(name: "query", value: .string(text)),
            .init(name: "limit", value: .integer(min(Self.pageSize, query.limit))),
            .init(name: "sources", value: [["type": "web"]]), .init(name: "highlights", value: false),
            .init(name: "timeout", value: .integer(firstTime)),
        ]
        if let country = place?.country { body.append(.init(name: "country", value: .string(country))) }
        if let city = place?.city, type != .gift {
            let location = [city, place?.state, place?.country].compactMap { $0 }.joined(separator: ",")
            body.append(.init(name: "location", value: .string(BoundaryText.clean(location, limit: 200))))
        }
        if readsPages { body.append(.init(name: "scrapeOptions", value: FirecrawlWire.reading)) }
        let credits = readsPages ? 2 + 5 * Self.pageSize : 2
        var request = HTTPRequest(
            .post,
            base + "/search",
            headers: [
                HTTPHeader("Authorization", "Bearer ", secret: key), HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Accept", "application/json"),
            ],
            body: Array(JSONWriter.text(.object(JSONObject(body))).utf8),
            isIdempotent: true
        )
        request.words = [text, intent, words]
        func form(within milliseconds: Int) -> [UInt8] {
            var form = JSONObject(body)
            form["timeout"] = .integer(milliseconds)
            return Array(JSONWriter.text(.object(form)).utf8)
        }
        var earlier = request
        earlier.body = form(within: 3_150)
        request.earlierForms = [earlier]
        if mostTime > firstTime { request.patientBody = form(within: mostTime) }
        return ServiceCall(request, asks: "\(type.rawValue)s query=\(text)", cost: credits, type: type)
    }

    /// Milliseconds that the service may take, its queue included: of a first call, and of the one after it ran out of them.
    private var firstTime: Int { readsPages ? 10_000 : 2_500 }
    private var mostTime: Int { Int(timeout / .milliseconds(1)) - Self.transportTime }
    /// What is left of a call's own time for the way there and back.
    private static let transportTime = 300

    package func failure(of reply: HTTPResponse) -> ServiceFailure? { FirecrawlWire.failure(of: reply) }

    package func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate] {
        FirecrawlWire.pages(in: try reply.json()).compactMap {
            FirecrawlMapping.candidate(of: $0, type: call.type, for: query)
        }
    }
}

extension ServiceRegistration {
    static let firecrawl = ServiceRegistration(
        FirecrawlClient.capability,
        settings: [
            .secret("KNOT_FIRECRAWL_KEY"), .address("KNOT_FIRECRAWL_URL", usually: FirecrawlClient.usualBase),
            .plain("KNOT_FIRECRAWL_READS_PAGES"),
        ]
    ) { settings throws(SetupProblem) in
        // Without a key the service answers a few calls a day, which looks like a service that fails.
        let key = try settings.secret("KNOT_FIRECRAWL_KEY")
        let base = try settings.address("KNOT_FIRECRAWL_URL") ?? FirecrawlClient.usualBase
        let written = settings.plain("KNOT_FIRECRAWL_READS_PAGES") ?? "0"
        guard ["0", "1"].contains(written) else { throw .unusable("KNOT_FIRECRAWL_READS_PAGES is neither 0 nor 1") }
        let readsPages = written == "1"
        return { FirecrawlClient(sender: $0, key: key, base: base, readsPages: readsPages) }
    }
}

package import HTTPClient
import ItemPages
import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph

/// Amazon's Creators API: presents by words and price, in one store.
///
/// An account without enough sales is refused every call, so that this provider is always one that may be missing.
package struct AmazonClient: LiveService {
    package static let usualBase = "https://creatorsapi.amazon"
    private static let pageSize = 10
    /// One call a second is what a new account has.
    private static let mostCalls = 2

    package let sender: any HTTPSender
    package let timeout: Duration
    private let base: String
    private let account: AmazonAccount
    private let tokens: AmazonTokens

    package init(
        sender: any HTTPSender,
        account: AmazonAccount,
        base: String = usualBase,
        timeout: Duration = .seconds(4)
    ) {
        self.sender = sender
        self.account = account
        self.base = base
        self.timeout = timeout
        tokens = AmazonTokens(account, sender: sender)
    }

    /// Prices without a moment of their own may be shown for an hour.
    package let keeping = Duration.seconds(3_600)

    package static let capability = ProviderCapability(
        .amazon,
        types: [.gift],
        searchesPlaces: false,
        searchesPrices: true,
        mostCandidates: 20,
        quota: ProviderCapability.Quota(calls: 8_640, per: .seconds(86_400))
    )
    package var capability: ProviderCapability { Self.capability }

    private static let resources = [
        "itemInfo.title", "itemInfo.features", "itemInfo.byLineInfo", "itemInfo.classifications",
        "images.primary.large", "images.primary.highRes", "offersV2.listings.price", "offersV2.listings.availability",
        "offersV2.listings.condition", "offersV2.listings.merchantInfo", "offersV2.listings.isBuyBoxWinner",
        "offersV2.listings.type", "offersV2.listings.dealDetails", "customerReviews.count",
        "customerReviews.starRating",
        "browseNodeInfo.browseNodes", "parentASIN",
    ]

    /// What a new account may send; the token before the first search is asked of somebody else.
    package let rate: RateLimit? = RateLimit(calls: 1, per: .seconds(1))

    package let mostThrottled = 3

    package func calls(for query: ProviderQuery) -> [ServiceCall] {
        guard query.types.contains(.gift) else { return [] }
        return AskedPhrases(query, limit: 200).all.prefix(Self.mostCalls).map { call($0, query) }
    }

    private func call(_ words: String, _ query: ProviderQuery) -> ServiceCall {
        var body: [JSONObject.Member] = [
            .init(name: "partnerTag", value: .string(account.partnerTag)),
            .init(name: "keywords", value: .string(words)), .init(name: "searchIndex", value: "All"),
            .init(name: "itemCount", value: .integer(min(Self.pageSize, query.limit))),
            .init(name: "condition", value: "New"), .init(name: "availability", value: "Available"),
        ]
        // Bounds are in the store's money, and no rate is good enough to search by.
        if let budget = query.budget, budget.currency == CountryTable.currency(ofStore: account.store) {
            body.append(.init(name: "minPrice", value: .integer(max(1, budget.minimum))))
            body.append(.init(name: "maxPrice", value: .integer(max(1, budget.maximum))))
        }
        body.append(.init(name: "resources", value: JSONValue(Self.resources)))
        var request = HTTPRequest(
            .post,
            base + "/catalog/v1/searchItems",
            headers: [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
                HTTPHeader("x-marketplace", account.store),
            ],
            body: Array(JSONWriter.text(.object(JSONObject(body))).utf8),
            isIdempotent: true
        )
        request.words = [words]
        return ServiceCall(request, asks: "items keywords=\(words) at \(account.store)")
    }

    package func authorized(
        _ call: ServiceCall,
        by deadline: ContinuousClock.Instant
    ) async throws(StageFailure) -> HTTPRequest {
        var request = call.request
        request.headers.append(try await tokens.header(by: deadline))
        return request
    }

    package func failure(of reply: HTTPResponse) -> ServiceFailure? { AmazonWire.failure(of: reply) }

    /// A token that has expired is asked for again, once.
    package func other(
        than call: ServiceCall,
        after failure: ServiceFailure,
        for query: ProviderQuery
    ) -> ServiceCall? {
        guard failure.code == AmazonWire.tokenExpired,
            let used = call.request.headers.lastIndex(where: { $0.name == "Authorization" })
        else { return nil }
        var again = call
        tokens.forget(again.request.headers.remove(at: used))
        return again
    }

    package func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate] {
        // Nothing found is also said by a status.
        guard reply.status != 404 else { return [] }
        return AmazonWire.items(in: try reply.json()).compactMap {
            AmazonMapping.candidate(of: $0, asOf: query.asOf)
        }
    }
}

extension ServiceRegistration {
    static let amazon = ServiceRegistration(
        AmazonClient.capability,
        settings: [
            .secret("KNOT_AMAZON_CLIENT_ID"), .secret("KNOT_AMAZON_CLIENT_SECRET"),
            .address("KNOT_AMAZON_URL", usually: AmazonClient.usualBase), tokenURL, .plain("KNOT_AMAZON_TAG"),
            .plain("KNOT_AMAZON_VERSION"), .plain("KNOT_AMAZON_STORE"),
        ]
    ) { settings throws(SetupProblem) in
        let needed = ["KNOT_AMAZON_CLIENT_ID", "KNOT_AMAZON_CLIENT_SECRET", "KNOT_AMAZON_TAG"]
        let missing = needed.filter { !settings.isSet($0) }
        guard missing.isEmpty else { throw .missing(missing) }
        let store = namedStore(settings)
        guard CountryTable.currency(ofStore: store) != nil else {
            throw .unusable("KNOT_AMAZON_STORE is no store of Amazon, as www.amazon.com is one")
        }
        let region = AmazonAccount.Region(ofStore: store)
        let versions = AmazonAccount.Version.allCases
        guard let version = fittingVersion(settings) else {
            throw .unusable("KNOT_AMAZON_VERSION is none of \(versions.map(\.rawValue).joined(separator: ", "))")
        }
        guard version.region == region else {
            let fitting = versions.filter { $0.region == region }.map(\.rawValue).joined(separator: " or ")
            throw .unusable("KNOT_AMAZON_VERSION is not of \(store), whose credentials are \(fitting)")
        }
        let account = AmazonAccount(
            clientID: try settings.secret(needed[0]),
            clientSecret: try settings.secret(needed[1]),
            version: version,
            partnerTag: settings.plain(needed[2]) ?? "",
            store: store,
            tokenURL: try settings.address("KNOT_AMAZON_TOKEN_URL")
        )
        let base = try settings.address("KNOT_AMAZON_URL") ?? AmazonClient.usualBase
        return { AmazonClient(sender: $0, account: account, base: base) }
    }

    /// Each kind of account has its own.
    private static let tokenURL = ServiceSetting("KNOT_AMAZON_TOKEN_URL", .address) { settings in
        (fittingVersion(settings) ?? .america3).usualTokenURL
    }

    private static func namedStore(_ settings: ServiceSettings) -> String {
        settings.plain("KNOT_AMAZON_STORE") ?? "www.amazon.com"
    }

    /// Where none is said, that of the store's part of the world; nil for what is none.
    private static func fittingVersion(_ settings: ServiceSettings) -> AmazonAccount.Version? {
        guard let written = settings.plain("KNOT_AMAZON_VERSION") else {
            return AmazonAccount.Region(ofStore: namedStore(settings)).latest
        }
        return AmazonAccount.Version(rawValue: written)
    }
}

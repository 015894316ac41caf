import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain
import Recommendation

@testable import LiveProviders

/// The search of one shop's own pages: presents by words, as everybody finds them there.
struct ShopSearch: LiveService {
    static let capability = ProviderCapability(
        "shopsearch",
        types: [.gift],
        searchesPlaces: false,
        searchesPrices: false,
        mostCandidates: 20
    )
    var capability: ProviderCapability { Self.capability }

    let sender: any HTTPSender
    let base: String
    let currency: Currency
    let timeout = Duration.seconds(3)
    /// Everybody in this process together; nobody knows the limits of a shop.
    let rate: RateLimit? = RateLimit(calls: 2, per: .seconds(1), burst: 2)

    /// Few good questions: the same query always leads to the same calls, and nothing is sent here.
    func calls(for query: ProviderQuery) -> [ServiceCall] {
        AskedPhrases(query, limit: 100).all.prefix(2).map { words in
            let asked = [("q", words), ("resources[type]", "product"), ("resources[limit]", "10")]
            let url = HTTPRequest.url(base + "/search/suggest.json", query: asked)
            return ServiceCall(HTTPRequest(.get, url), asks: "products q=\(words)")
        }
    }

    /// Why a reply brings nothing, and whether to ask again: by its status, where the service says nothing better.
    func failure(of reply: HTTPResponse) -> ServiceFailure? { .byStatus(reply) }

    /// Everything may be missing; what is no candidate is left out, and texts are cleaned and capped by the draft.
    func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate] {
        (try reply.json().at("resources", "results", "products")?.items ?? []).compactMap { product in
            guard product["available"]?.bool == true, let path = product["url"]?.text, path.hasPrefix("/") else {
                return nil
            }
            var draft = CandidateDraft(
                provider: capability.name,
                id: product["id"]?.text ?? product["id"]?.count.map(String.init),
                type: call.type,
                title: product["title"]?.text,
                url: base + path.prefix { $0 != "?" },
                currency: currency
            )
            draft.description = product["body"]?.text.map(PlainMarkup.text(of:))
            draft.priceCents = product["price"]?.decimal?.minorUnits(of: currency)
            draft.merchant = product["vendor"]?.text
            return draft.candidate
        }
    }
}

extension ServiceRegistration {
    /// The variables that set it up, and how it is made of them; a secret would be `.secret("KNOT_SHOPSEARCH_KEY")`.
    static let shopSearch = ServiceRegistration(
        ShopSearch.capability,
        settings: [.address("KNOT_SHOPSEARCH_URL"), .plain("KNOT_SHOPSEARCH_CURRENCY")]
    ) { settings throws(SetupProblem) in
        guard let base = try settings.address("KNOT_SHOPSEARCH_URL") else { throw .missing(["KNOT_SHOPSEARCH_URL"]) }
        guard let currency = Currency(settings.plain("KNOT_SHOPSEARCH_CURRENCY") ?? "USD") else {
            throw .unusable("KNOT_SHOPSEARCH_CURRENCY isn't a currency code such as USD")
        }
        return { ShopSearch(sender: $0, base: base, currency: currency) }
    }
}

import FileInput
import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation

/// The five adapters with keys that no output may show.
enum Adapters {
    static let canary = "canary-5f1e"

    static let now = Instant(iso8601: "2026-11-23T12:00:00Z") ?? Instant(millisecondsSinceEpoch: 0)

    static func yelp(_ sender: any HTTPSender) -> YelpClient { YelpClient(sender: sender, key: Secret(canary)) }

    static func ticketmaster(_ sender: any HTTPSender) -> TicketmasterClient {
        TicketmasterClient(sender: sender, key: Secret(canary), zones: ZoneDirectory(), now: { now })
    }

    static func amazon(
        _ sender: any HTTPSender,
        version: AmazonAccount.Version = .america3,
        store: String = "www.amazon.com"
    ) -> AmazonClient {
        AmazonClient(
            sender: sender,
            account: AmazonAccount(
                clientID: Secret("id-\(canary)"),
                clientSecret: Secret(canary),
                version: version,
                partnerTag: "example-20",
                store: store
            )
        )
    }

    static func shopify(_ sender: any HTTPSender, shops: [ShopifyShop] = []) -> ShopifyClient {
        ShopifyClient(
            sender: sender,
            catalogue: shops.isEmpty ? .init(profile: "https://knot.example/agent.json", token: Secret(canary)) : nil,
            shops: shops
        )
    }

    static func firecrawl(_ sender: any HTTPSender, readsPages: Bool = false) -> FirecrawlClient {
        FirecrawlClient(sender: sender, key: Secret(canary), readsPages: readsPages)
    }

    /// Every adapter with a reply in its service's shape.
    static func all(_ answer: @escaping ScriptedSender.Answer) -> [any LiveService] {
        let sender = ScriptedSender(answer)
        return [yelp(sender), ticketmaster(sender), amazon(sender), shopify(sender), firecrawl(sender)]
    }

    /// Each service's own answer to any call.
    static let reply: ScriptedSender.Answer = { request in
        if request.url.hasSuffix("/o2/token") { return .json(Replies.token) }
        if request.url.contains("yelp.com") { return .json(Replies.yelp) }
        if request.url.contains("ticketmaster.com") { return .json(Replies.ticketmaster) }
        if request.url.contains("creatorsapi") { return .json(Replies.amazon) }
        if request.url.contains("shopify.com") { return .json(Replies.shopifyCatalogue) }
        return .json(Replies.firecrawl)
    }
}

package import HTTPClient
package import KnotDomain
package import Recommendation

/// The services that a run may ask besides fixtures and catalogues: a new one is a folder of its own and its line here.
package struct LiveServices: Sendable {
    /// A service with its keys, or what it lacks.
    package enum Setup: Sendable {
        case ready(any LiveService)
        /// Nobody has set it up: the variables that would.
        case missing([String])
        /// Somebody has, but not so that it works: why, without any value.
        case unusable(String)
    }

    /// One service as it is set up here.
    package struct Entry: Sendable {
        package let capability: ProviderCapability
        package let setup: Setup
        /// What is known of a service that is ready, for whoever counts its calls.
        package let conduct: ServiceConduct?

        package var service: (any LiveService)? { if case .ready(let service) = setup { service } else { nil } }
    }

    /// In the order of the pipeline's sources.
    package let entries: [Entry]

    /// The sender of each service: the client with what stands around it for that service alone.
    package typealias Sending = @Sendable (ServiceConduct) -> any HTTPSender

    /// What the services of this environment are; nothing is sent.
    package init(
        environment: @escaping (String) -> String?,
        zones: any ZoneSource,
        now: @escaping @Sendable () -> Instant,
        sending: Sending
    ) {
        let variables = ServiceVariables(environment)
        entries = [
            Self.entry(.yelp, variables, sending) { () throws(SetupProblem) in try variables.yelp },
            Self.entry(.ticketmaster, variables, sending) { () throws(SetupProblem) in
                try variables.ticketmaster(zones, now)
            },
            Self.entry(.amazon, variables, sending) { () throws(SetupProblem) in try variables.amazon },
            Self.entry(.shopify, variables, sending) { () throws(SetupProblem) in try variables.shopify },
            Self.entry(.firecrawl, variables, sending) { () throws(SetupProblem) in try variables.firecrawl },
        ]
    }

    /// The variables that hold secrets, or name a file of one with `_FILE`.
    static let secretVariables = [
        "KNOT_YELP_KEY", "KNOT_TICKETMASTER_KEY", "KNOT_AMAZON_CLIENT_ID", "KNOT_AMAZON_CLIENT_SECRET",
        "KNOT_SHOPIFY_KEY", "KNOT_SHOPIFY_SHOP_KEY", "KNOT_FIRECRAWL_KEY",
    ]

    /// The variables that hold addresses, which whoever sets them up may not want to show.
    static let addressVariables = [
        "KNOT_YELP_URL", "KNOT_TICKETMASTER_URL", "KNOT_AMAZON_URL", "KNOT_AMAZON_TOKEN_URL", "KNOT_SHOPIFY_PROFILE",
        "KNOT_SHOPIFY_URL", "KNOT_FIRECRAWL_URL",
    ]

    /// The variables that say what is asked, and hide nothing.
    static let plainVariables = [
        "KNOT_AMAZON_TAG", "KNOT_AMAZON_VERSION", "KNOT_AMAZON_STORE", "KNOT_SHOPIFY_SHOPS",
        "KNOT_FIRECRAWL_READS_PAGES",
    ]

    /// The variables that set services up.
    package static let variables =
        secretVariables + secretVariables.map { $0 + "_FILE" } + addressVariables + plainVariables + ["KNOT_PAGES"]

    /// Those that can be asked.
    package var all: [any LiveService] { entries.compactMap(\.service) }

    /// What all of them can do, whether they are set up or not: pipelines name them all the same.
    package static let capabilities: [ProviderCapability] = {
        let nobody = NobodySender()
        return [
            YelpClient(sender: nobody, key: Secret("")).capability,
            TicketmasterClient(
                sender: nobody,
                key: Secret(""),
                zones: ZoneDirectory(),
                now: { Instant(millisecondsSinceEpoch: 0) }
            ).capability,
            AmazonClient(sender: nobody, account: .nobody).capability,
            ShopifyClient(sender: nobody, catalogue: nil, shops: []).capability,
            FirecrawlClient(sender: nobody, key: Secret("")).capability,
        ]
    }()

    private static func entry(
        _ name: ProviderName,
        _ variables: ServiceVariables,
        _ sending: Sending,
        _ make: () throws(SetupProblem) -> (any HTTPSender) -> any LiveService
    ) -> Entry {
        let capability = capabilities.first { $0.name == name } ?? .known(as: name)
        do throws(SetupProblem) {
            let service = try make()
            // What a reply means the service itself says, whoever sends for it.
            let conduct = ServiceConduct(service(NobodySender()), account: variables.account(of: name))
            return Entry(capability: capability, setup: .ready(service(sending(conduct))), conduct: conduct)
        } catch {
            switch error {
            case .missing(let variables): return Entry(capability: capability, setup: .missing(variables), conduct: nil)
            case .unusable(let why): return Entry(capability: capability, setup: .unusable(why), conduct: nil)
            }
        }
    }
}

/// Why a service is not set up.
enum SetupProblem: Error, Sendable {
    case missing([String])
    case unusable(String)
}

/// Stands where nothing is ever sent.
private struct NobodySender: HTTPSender {
    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        throw HTTPFailure(.unavailable, host: "", "nothing is sent from here")
    }
}

extension AmazonAccount {
    fileprivate static let nobody = AmazonAccount(
        clientID: Secret(""),
        clientSecret: Secret(""),
        version: .america3,
        partnerTag: "",
        store: ""
    )
}

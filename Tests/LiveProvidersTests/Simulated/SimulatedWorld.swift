import Fixtures
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import ProviderSimulator
import Recommendation
import StageGraph
import Threads

/// A judged vault whose offers come over HTTP from the simulated services.
///
/// What comes is given the fixture's id again, by its link, so that judges know it.
struct SimulatedWorld {
    let fixtureCase: FixtureCase
    let simulator: ProviderSimulator
    let services: LiveServices
    private let pages: ShopPages

    init(
        _ fixtureCase: FixtureCase,
        sender: any HTTPSender,
        fault: @escaping ProviderSimulator.Fault = { _, usual in usual }
    ) throws {
        self.fixtureCase = fixtureCase
        simulator = try ProviderSimulator(fixtureCase.fixture, servesPages: true, leadsToPages: false, fault: fault)
        pages = ShopPages(simulator, sender)
        let environment = simulator.environment
        let asOf = fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0)
        services = LiveServices(
            environment: { environment[$0] },
            zones: ZoneCache(),
            now: { asOf },
            sending: { _ in sender }
        )
    }

    /// The ports of a run over HTTP, with these fields as the fixture has them; pages are looked at in their shops.
    func ports(for plan: Plan, restoring fields: Set<String> = []) -> StagePorts {
        var ports = StagePorts(
            fixtureCase,
            asking: plan.askedProviders,
            asOf: nil,
            zones: ZoneCache(),
            clock: FixtureClock(fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        )
        for service in services.all {
            ports.providers[service.capability.name] = RestoredProvider(service, fixtureCase.fixture, restoring: fields)
        }
        ports.checker = pages
        return ports
    }
}

/// The simulator's pages of a fixture's offers, looked at as those of any shop, but without waiting between two looks.
///
/// A candidate whose id nobody knows has no page.
struct ShopPages: AvailabilityChecker {
    private let probe: PageProbe
    private let shops: [String]

    init(_ simulator: ProviderSimulator, _ sender: any HTTPSender) {
        let timers = DeadlineTimers()
        shops = simulator.shopURLs
        let vetting = AddressVetting(resolver: SystemResolver(timers: timers), trusted: Set(shops), ports: nil)
        var limits = PageProbe.Limits()
        limits.total = .seconds(60)
        limits.spacing = .zero
        probe = PageProbe(PageFetcher(sender, vetting: vetting), limits: limits, timers: timers)
    }

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard let object = candidate.json.object, let shop = shops.first else {
            throw StageFailure(.provider, code: "no_page", "the simulator serves no pages")
        }
        var led = object
        led["url"] = .string("\(shop)/page/\(candidate.id.text)")
        guard let led = Candidate(reading: JSONReader(.object(led))) else {
            throw StageFailure(.provider, code: "no_page", "\(candidate.id) cannot be led to its page")
        }
        return try await probe.probe(led)
    }
}

/// Gives every call a minute, for tests that are about what replies hold and not about when they come.
struct PatientSender: HTTPSender {
    let sender: any HTTPSender

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        try await sender.send(request, by: deadline.advanced(by: .seconds(60)))
    }
}

/// A service whose candidates have their ids of the fixture, and those fields of it that somebody gives back.
struct RestoredProvider: CandidateProvider {
    /// What a service's shape has no place for.
    static let lost: [ProviderName: Set<String>] = [
        // A tier is no price, businesses have no day, and what one is called is also whose it is.
        .yelp: ["type", "description", "price_cents", "currency", "merchant", "starts_at", "ships_in_days"],
        .ticketmaster: ["type", "description", "price_cents", "currency", "rating", "review_count"],
        .amazon: [],
        .shopify: ["ships_in_days"],
        // A page has one kind, and what is sold there by post is nowhere.
        .firecrawl: ["tags", "location"],
    ]

    let capabilities: [ProviderCapability]
    private let service: any LiveService
    private let own: [String: Candidate]
    private let fields: Set<String>

    init(_ service: any LiveService, _ fixture: Fixture, restoring fields: Set<String> = []) {
        self.service = service
        self.fields = fields.intersection(Self.lost[service.capability.name] ?? [])
        capabilities = service.capabilities
        let own = fixture.candidates.filter { $0.provider == service.capability.name }
        self.own = Dictionary(own.map { ($0.url + $0.title, $0) }) { first, _ in first }
    }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await service.candidates(for: query).map { found in
            guard let own = own[found.url + found.title], var object = found.json.object else { return found }
            object["id"] = .string(own.id.text)
            for field in fields { object[field] = own.json[field] ?? .null }
            return Candidate(reading: JSONReader(.object(object))) ?? found
        }
    }
}

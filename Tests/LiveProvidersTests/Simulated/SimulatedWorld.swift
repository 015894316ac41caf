import Evaluation
import HTTPClient
import KnotDomain
import LiveProviders
import ProviderSimulator
import Recommendation
import StageGraph

/// A judged vault whose offers come over HTTP from the simulated services.
///
/// What comes is given the fixture's id again, by its link, so that judges know it.
struct SimulatedWorld {
    let fixtureCase: FixtureCase
    let simulator: ProviderSimulator
    let services: LiveServices

    init(
        _ fixtureCase: FixtureCase,
        sender: any HTTPSender,
        fault: @escaping ProviderSimulator.Fault = { _, usual in usual }
    ) throws {
        self.fixtureCase = fixtureCase
        simulator = try ProviderSimulator(fixtureCase.fixture, fault: fault)
        let environment = simulator.environment
        let asOf = fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0)
        services = LiveServices(
            environment: { environment[$0] },
            zones: ZoneCache(),
            now: { asOf },
            sending: { _ in sender }
        )
    }

    /// The ports of a run over HTTP; pages are those of the fixture.
    func ports(for plan: Plan) -> StagePorts {
        var ports = StagePorts(
            fixtureCase,
            asking: plan.askedProviders,
            asOf: nil,
            zones: ZoneCache(),
            clock: FixtureClock(fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        )
        for service in services.all {
            ports.providers[service.capability.name] = RestoredProvider(service, fixtureCase.fixture)
        }
        return ports
    }
}

/// A service whose candidates have their ids of the fixture.
struct RestoredProvider: CandidateProvider {
    let capabilities: [ProviderCapability]
    private let service: any LiveService
    private let ids: [String: CandidateID]

    init(_ service: any LiveService, _ fixture: Fixture) {
        self.service = service
        capabilities = service.capabilities
        let own = fixture.candidates.filter { $0.provider == service.capability.name }
        ids = Dictionary(own.map { ($0.url + $0.title, $0.id) }) { first, _ in first }
    }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await service.candidates(for: query).map { found in
            Candidate(
                id: ids[found.url + found.title] ?? found.id,
                provider: found.provider,
                type: found.type,
                title: found.title,
                description: found.description,
                url: found.url,
                imageURL: found.imageURL,
                priceCents: found.priceCents,
                currency: found.currency,
                merchant: found.merchant,
                location: found.location,
                startsAt: found.startsAt,
                rating: found.rating,
                reviewCount: found.reviewCount,
                shipsInDays: found.shipsInDays,
                tags: found.tags
            )
        }
    }
}

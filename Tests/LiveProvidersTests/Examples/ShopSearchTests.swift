import Fixtures
import HTTPClient
import JSONDocument
import KnotDomain
import LoopbackServer
import ProviderSimulator
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing
import Threads

@testable import LiveProviders

/// The provider that the README shows, in one folder and with one registration, over the simulator.
@Suite("The README's provider", .onOwnThreads) struct ShopSearchTests {
    /// A vault whose shop has something, the shop, and the service that asks it.
    private struct World {
        let found: FixtureCase
        let simulator: ProviderSimulator
        let services: LiveServices

        init(fault: @escaping ProviderSimulator.Fault = { _, usual in usual }) throws {
            found = try #require(try JudgedFixtures.all().first)
            simulator = try ProviderSimulator(found.fixture, fault: fault)
            let environment = ["KNOT_SHOPSEARCH_URL": simulator.url]
            let (client, timers) = (try HTTPClient(), DeadlineTimers())
            services = LiveServices(
                LiveServices.registrations + [.shopSearch],
                environment: { environment[$0] },
                zones: ZoneDirectory(),
                now: { Instant(millisecondsSinceEpoch: 0) },
                sending: { $0.sender(over: client, quota: nil, timers: timers) }
            )
        }

        var service: any LiveService {
            get throws { try #require(services.all.first) }
        }
    }

    private let query = ProviderQuery(
        provider: ShopSearch.capability.name,
        phrases: ["a gift", "something blue"],
        types: [.gift],
        budget: nil,
        place: nil,
        until: nil,
        limit: 20
    )

    @Test func `is set up by its registration alone`() throws {
        let world = try World()
        defer { world.simulator.stop() }
        #expect(world.services.all.map(\.capability.name) == [ShopSearch.capability.name])
        let nobody = LiveServices(
            [.shopSearch],
            environment: { $0 == "KNOT_SHOPSEARCH_CURRENCY" ? "USD" : nil },
            zones: ZoneDirectory(),
            now: { Instant(millisecondsSinceEpoch: 0) },
            sending: { _ in ScriptedSender("") }
        )
        guard case .missing(["KNOT_SHOPSEARCH_URL"]) = try #require(nobody.entries.first).setup else {
            Issue.record("it does not say what it lacks")
            return
        }
    }

    @Test func `brings the shop's presents with their prices, and keeps the contract of providers`() async throws {
        let world = try World()
        defer { world.simulator.stop() }
        let service = try world.service
        let brought = try await service.candidates(for: query)
        #expect(brought.count > 3)
        for candidate in brought {
            let own = try #require(world.found.fixture.candidates.first { $0.title == candidate.title })
            #expect(candidate.priceCents == own.priceCents && candidate.merchant == own.merchant)
            #expect(candidate.url.hasPrefix(world.simulator.url + "/products/"))
        }
        try await CandidateProviderContract.verify(service, answering: query)
    }

    @Test func `says an outage where the shop is down`() async throws {
        let world = try World { _, _ in .html("<h1>Sorry</h1>", status: 404) }
        defer { world.simulator.stop() }
        let service = try world.service
        let failure = await #expect(throws: StageFailure.self) { try await service.candidates(for: query) }
        #expect(failure?.code == "http_404" && failure?.failureClass == .provider)
    }

    @Test func `is asked by a pipeline that names it, and what it brings is shown`() async throws {
        let world = try World()
        defer { world.simulator.stop() }
        let patch: JSONValue = [
            "nodes": ["aggregate": ["inputs": ["pools": ["yelp", "shopsearch"]]]],
            "add": [
                [
                    "id": "shopsearch", "kind": "source.provider", "after": "yelp", "inputs": ["plan": "plan"],
                    "parameters": ["provider": "shopsearch"],
                ]
            ],
        ]
        let layers = [ExperimentLayer(file: "shopsearch.json", patch: patch)]
        let plan = try Plan(
            PipelineLoader(source: ShippedPipelines()).load("choice-of-three", experiments: layers),
            catalog: .knot(with: LiveServices.capabilities + [ShopSearch.capability])
        )
        let asked = plan.askedProviders
        let clock = FixtureClock(world.found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        var ports = StagePorts(world.found, asking: asked, asOf: nil, zones: ZoneCache(), clock: clock)
        ports.providers[ShopSearch.capability.name] = try world.service
        let options = RunOptions(seed: 0, subject: "vault", deadline: .seconds(600))
        let run = await Engine(threads: 2).report(plan, ports: ports, options: options)
        #expect(run.cards.values.contains { $0.offer.provenance.contains(ShopSearch.capability.name) })
    }
}

import Evaluation
import Foundation
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import LoopbackServer
import ProviderSimulator
import Recommendation
import StageGraph
import TestSupport
import Testing

/// The judged vaults over HTTP: what the services' shapes can carry comes whole, and what they cannot is known.
@Suite("The simulated services", .serialized)
struct SimulatorTests {
    /// Every seventh vault; all with `KNOT_EVERY_VAULT`, as in `make soak`.
    static func cases() throws -> [FixtureCase] {
        let all = try JudgedFixtures.all()
        let isEvery = ProcessInfo.processInfo.environment["KNOT_EVERY_VAULT"] != nil
        return all.indices.filter { isEvery || $0 % 7 == 0 }.map { all[$0] }
    }

    /// What a service's shape has no place for.
    private static let lost: [ProviderName: Set<String>] = [
        // A tier is no price, businesses have no day, and what one is called is also whose it is.
        .yelp: ["type", "description", "price_cents", "currency", "merchant", "starts_at", "ships_in_days", "tags"],
        .ticketmaster: ["type", "description", "price_cents", "currency", "rating", "review_count"],
        .amazon: [],
        .shopify: ["ships_in_days"],
        .firecrawl: ["rating", "review_count", "ships_in_days", "tags", "location"],
    ]

    private func plan() throws -> Plan {
        try ShippedPipelines.plan("choice-of-three")
    }

    @Test func `bring every offer, and lose only what their shapes have no place for`() async throws {
        let client = try HTTPClient()
        var brought = 0
        for found in try Self.cases() {
            let world = try SimulatedWorld(found, sender: client)
            defer { world.simulator.stop() }
            #expect(world.services.all.count == 5)
            for service in world.services.all {
                let name = service.capability.name
                let query = ProviderQuery(
                    provider: name,
                    phrases: ["a present", "music", "something good"],
                    types: service.capability.types,
                    budget: nil,
                    place: service.capability.searchesPlaces ? found.fixture.vault.location : nil,
                    until: nil,
                    limit: 2_000
                )
                let answer = try await RestoredProvider(service, found.fixture).candidates(for: query)
                for candidate in answer {
                    let own = try #require(found.fixture.candidates.first { $0.id == candidate.id }, "\(candidate.url)")
                    let (sent, came) = (own.json.object, candidate.json.object)
                    let changed = (sent?.names ?? []).filter { sent?[$0] != came?[$0] }
                    let unexplained = Set(changed).subtracting(Self.lost[name] ?? [])
                    #expect(unexplained.isEmpty, "\(found.stem) \(own.id) of \(name.rawValue)")
                }
                brought += answer.count
            }
        }
        #expect(brought > 0)
    }

    @Test func `give the judged vaults sets about as good as their fixtures do`() async throws {
        let client = try HTTPClient()
        let cases = try Self.cases()
        let plan = try plan()
        var worlds: [String: SimulatedWorld] = [:]
        for found in cases { worlds[found.stem] = try SimulatedWorld(found, sender: client) }
        defer { for world in worlds.values { world.simulator.stop() } }
        let all = worlds
        func evaluation(_ ports: @escaping @Sendable (FixtureCase, Plan) -> StagePorts) async -> PipelineEvaluation {
            await Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: 1, deadline: .seconds(600), ports: ports)
                .evaluate(plan, label: "x", over: cases)
        }
        let ports: @Sendable (FixtureCase, Plan) -> StagePorts = { found, plan in
            StagePorts(
                found,
                asking: plan.askedProviders,
                asOf: nil,
                zones: ZoneCache(),
                clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
        }
        let files = await evaluation(ports)
        let http = await evaluation { found, plan in all[found.stem]?.ports(for: plan) ?? ports(found, plan) }
        #expect(http.count(.short) == files.count(.short))
        for gate in [Gate.budget, .unobtainable, .repeated, .duplicate] {
            #expect(http.count(gate) == files.count(gate), "\(gate)")
        }
        let (precision, grade) = (try #require(http.mean(.precision)), try #require(http.mean(.meanGrade)))
        let before = (try #require(files.mean(.precision)), try #require(files.mean(.meanGrade)))
        let words = "P \(before.0) and grade \(before.1) from files, \(precision) and \(grade) over HTTP"
        // What the shapes lose costs some of the best: a description, a day, a price.
        #expect(precision >= before.0 - 0.15 && grade >= before.1 - 0.4, "\(words)")
        for (vault, found) in zip(http.vaults, cases) {
            for card in vault.cards where card.isForbidden {
                // The rule that would have kept it out needs what the service's shape does not carry.
                let own = try #require(found.fixture.candidates.first { $0.id == card.candidate })
                let lost = (Self.lost[own.provider] ?? []).filter { own.json[$0].map { !$0.isNull } ?? false }
                let isExplained = !lost.isDisjoint(with: ["price_cents", "ships_in_days", "starts_at", "description"])
                #expect(isExplained, "\(vault.name) \(card.candidate): \(card.why ?? "")")
            }
        }
    }
}

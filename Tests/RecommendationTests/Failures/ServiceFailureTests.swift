import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// Every service outside made to go wrong in every way, one at a time, through the real stages of both pipelines.
@Suite(.serialized) struct ServiceFailureTests {
    /// One of its own for each run: stalled calls keep its threads for a while.
    private static var engine: Engine { Engine(threads: 2) }

    /// Short lives for those that never answer: whoever answers has time, however slow the machine is.
    private static func impatient(with names: [String]) -> JSONValue {
        let source: JSONValue = ["life": "60ms", "wait": "50ms"]
        return ["nodes": .object(JSONObject(names.map { .init(name: $0, value: source) }))]
    }

    private static let providers = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]

    private static func run(
        _ pipeline: String,
        _ service: Service,
        _ mishap: Mishap,
        patch: JSONValue? = nil,
        settings: [String] = []
    ) async throws -> EngineRun {
        let plan = try Scene.plan(pipeline, settings: settings, patch: patch)
        return await engine.report(plan, ports: service.wrong(mishap), options: MatrixWorld.options(mishap))
    }

    @Test(arguments: ShippedPipelines.names, Service.allCases)
    func `answers of every kind leave a lawful run`(pipeline: String, service: Service) async throws {
        for mishap in Mishap.all where !mishap.isStall {
            let run = try await Self.run(pipeline, service, mishap)
            RunLaws.expect(run, "\(pipeline): \(service) \(mishap)")
        }
    }

    @Test(arguments: ShippedPipelines.names, Service.allCases)
    func `a service that never answers holds no run beyond its deadline`(
        pipeline: String,
        service: Service
    ) async throws {
        let run = try await Self.run(pipeline, service, .outlivesTheRun)
        RunLaws.expect(run, within: MatrixWorld.options(.outlivesTheRun).deadline, "\(pipeline): \(service)")
    }

    @Test(arguments: providers)
    func `a provider that is down or late is missed and named, and three are still shown`(name: String) async throws {
        let service = try #require(Service(rawValue: name))
        for mishap in [Mishap.fails(.provider), .fails(.platform), .outlivesItsLife] {
            let run = try await Self.run(
                ShippedPipelines.standard,
                service,
                mishap,
                patch: mishap.isStall ? Self.impatient(with: [name]) : JSONValue?.none
            )
            #expect(run.outcome == .degraded && run.shown.count == 3, "\(service) \(mishap)")
            let isNamed = run.report.reasons.contains { $0.code == "provider_failed" && $0.node?.text == name }
            #expect(isNamed, "\(service) \(mishap)")
        }
    }

    @Test(arguments: ShippedPipelines.names)
    func `all providers down or late is a failure of class provider`(pipeline: String) async throws {
        let plan = try Scene.plan(pipeline, patch: Self.impatient(with: Self.providers))
        // The first two are the same for all; in the third every second provider is late and the others are down.
        for mishaps in [[Mishap.fails(.provider)], [.outlivesItsLife], [.fails(.provider), .outlivesItsLife]] {
            var ports = MatrixWorld.scene.ports()
            for (place, name) in ports.providers.keys.sorted(by: { $0.rawValue < $1.rawValue }).enumerated() {
                guard let good = ports.providers[name] else { continue }
                ports.providers[name] = WrongProvider(good: good, mishap: mishaps[place % mishaps.count])
            }
            let run = await Self.engine.report(plan, ports: ports, options: RunOptions())
            guard case .failure(let failure) = run.result else {
                Issue.record("the run made something of nothing: \(run.shown)")
                continue
            }
            #expect(failure.failureClass == .provider, "\(mishaps)")
            #expect(run.report.failedNode == "aggregate", "\(mishaps)")
        }
    }

    /// As where few services are set up, and what stands in for the others has nothing.
    @Test(arguments: ShippedPipelines.names)
    func `a provider that is down where all others have nothing is a failure of class provider`(
        pipeline: String
    ) async throws {
        let plan = try Scene.plan(pipeline, patch: Self.impatient(with: ["amazon"]))
        for mishap in [Mishap.fails(.provider), .outlivesItsLife] {
            var ports = Scene().ports()
            let good = try #require(ports.providers[.amazon])
            ports.providers[.amazon] = WrongProvider(good: good, mishap: mishap)
            let run = await Self.engine.report(plan, ports: ports, options: RunOptions())
            guard case .failure(let failure) = run.result else {
                Issue.record("the run made something of nothing: \(run.report.reasons)")
                continue
            }
            #expect(failure.failureClass == .provider && failure.detail.contains("amazon"), "\(failure)")
            #expect(run.report.failedNode == "aggregate")
        }
    }

    @Test(arguments: ShippedPipelines.names)
    func `a provider that is down takes nothing from what the others have, and one that is not there is not down`(
        pipeline: String
    ) async throws {
        let plan = try Scene.plan(pipeline)
        // Of what the others have nothing may be shown, which is no outage either.
        let dear = Scene([.invented("a", "Marble fountain", price: 9_000_000)])
        var ports = dear.ports()
        let other = try #require(ports.providers[.yelp])
        ports.providers[.yelp] = WrongProvider(good: other, mishap: .fails(.provider))
        #expect(await Self.engine.report(plan, ports: ports, options: RunOptions()).outcome == .short)
        var empty = Scene().ports()
        empty.providers[.yelp] = nil
        let run = await Self.engine.report(plan, ports: empty, options: RunOptions())
        #expect(run.outcome == .short && run.codes.contains("no_candidates"), "\(run.report.reasons)")
    }

    @Test func `a checker that fails or is slow leaves what it could not see unknown, and says so`() async throws {
        for mishap in [Mishap.fails(.provider), .fails(.platform), .answersNothing, .outlivesItsLife] {
            let settings = mishap.isStall ? ["check.patience_s=0.03"] : []
            let run = try await Self.run(ShippedPipelines.standard, .checker, mishap, settings: settings)
            #expect(run.shown.count == 3, "\(mishap)")
            #expect(run.cards.values.allSatisfy { $0.availability == "unknown" }, "\(mishap)")
            #expect(run.codes.contains("availability_unknown"), "\(mishap)")
        }
    }

    @Test func `an embedder that fails, is slow or answers nonsense leaves the words, and says so`() async throws {
        let wrong: [Mishap] = [
            .fails(.provider), .fails(.platform), .answersNothing, .answersNonsense, .answersTwice, .outlivesItsLife,
        ]
        let words = try await MatrixWorld.scene.run()
        for mishap in wrong {
            let settings = mishap.isStall ? ["meaning.patience_s=0.03"] : []
            let run = try await Self.run(ShippedPipelines.standard, .embedder, mishap, settings: settings)
            let code = mishap.isStall ? "embedder_slow" : "embedder_failed"
            #expect(run.outcome == .degraded && run.codes.contains(code), "\(mishap)")
            #expect(run.shown == words.shown, "\(mishap)")
        }
    }

    @Test func `a reader that fails leaves the rules, and says so`() async throws {
        for mishap in [Mishap.fails(.provider), .fails(.platform), .answersNothing] {
            let run = try await Self.run(ShippedPipelines.standard, .reader, mishap)
            #expect(run.outcome == .degraded && run.codes.contains("reading_rules"), "\(mishap)")
            #expect(run.shown.count == 3, "\(mishap)")
        }
    }

    @Test func `a provider's nonsense is never chosen over a real offer`() async throws {
        for name in ["yelp", "amazon", "firecrawl"] {
            let service = try #require(Service(rawValue: name))
            let run = try await Self.run(ShippedPipelines.standard, service, .answersNonsense)
            let odd = Set(MatrixWorld.nonsense.map(\.id.text))
            #expect(odd.isDisjoint(with: run.shown), "\(name): \(run.shown)")
        }
    }

    @Test func `items with an id that came before are counted, and the first stands`() async throws {
        let run = try await Self.run(ShippedPipelines.standard, .amazon, .answersTwice)
        #expect(run.codes.contains("duplicate_id"))
        #expect(run.report.counts.retrieved == MatrixWorld.scene.candidates.count)
        #expect(run.shown.count == 3)
    }
}

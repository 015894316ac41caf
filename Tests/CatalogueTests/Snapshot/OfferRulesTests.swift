import Evaluation
import KnotDomain
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing

@testable import Catalogue

/// What a catalogue leaves out before it searches, a run would have dropped.
@Suite("The rules that a search keeps to") struct OfferRulesTests {
    /// Offers everything, and listens to the rules it is given.
    private final class Listener: CandidateProvider {
        let capabilities = ProviderCapability.wellKnown.map {
            ProviderCapability($0.name, types: $0.types, isInProcess: true)
        }
        private let candidates: [Candidate]
        private let heard = Mutex<OfferRules?>(nil)

        init(_ candidates: [Candidate]) { self.candidates = candidates }

        var rules: OfferRules? { heard.withLock { $0 } }

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            heard.withLock { $0 = query.rules }
            return candidates.filter { $0.provider == query.provider }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `let pass whatever the filters of a run let pass`(seed: UInt64) async throws {
        var invented = InventedCatalogue(seed: seed)
        let candidates = invented.items(0..<250).map(\.candidate)
        var scene = Scene(candidates)
        let low = invented.number(below: 9_000)
        scene.budget = Budget(
            minimum: low,
            maximum: low + invented.number(below: 15_000),
            currency: try #require(Currency(["USD", "EUR", "JPY"][invented.number(below: 3)]))
        )
        scene.location = Place(city: "Portland", state: "OR", country: "US")
        scene.asOf = "2026-0\(5 + invented.number(below: 5))-11T12:00:00Z"
        if seed % 4 > 0 { scene.celebrate("2000-\(10 + invented.number(below: 3))-20") }
        let listener = Listener(candidates)
        var ports = scene.ports()
        ports.providers = .answering([listener])
        let run = try await scene.run(ports: ports)
        let filter = CatalogueFilter(try #require(listener.rules, "seed \(seed)"))
        let naive = NaiveSearch(items: [])
        var passed = 0
        for candidate in candidates {
            // Nil for what no source asked for.
            guard let end = run.end(of: candidate.id.text), end != .dropped else { continue }
            #expect(naive.passes(candidate, filter), "seed \(seed), \(candidate.id) \(end)")
            passed += 1
        }
        #expect(passed > 0 && candidates.contains { !naive.passes($0, filter) }, "seed \(seed)")
    }

    /// Hands queries on, and keeps what came back.
    private final class Recorder: CandidateProvider {
        let capabilities: [ProviderCapability]
        private let provider: SnapshotProvider
        private let answers = Mutex<[ProviderName: [CandidateID]]>([:])

        init(_ provider: SnapshotProvider) {
            self.provider = provider
            capabilities = provider.capabilities
        }

        var found: [ProviderName: [CandidateID]] { answers.withLock { $0 } }

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            let found = try await provider.candidates(for: query)
            answers.withLock { $0[query.provider] = found.map(\.id) }
            return found
        }
    }

    @Test func `of one run are no other's, though one provider serves them one after another`() async throws {
        let scratch = try ScratchFolder()
        var invented = InventedCatalogue(seed: 21)
        let writer = try CatalogueWriter(folder: scratch.path)
        let items = invented.items(0..<400)
        try writer.add(items)
        try writer.commit()
        let likes = items.prefix(30).map { $0.candidate.title }
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        let shared = SnapshotProvider(snapshot, embedder: nil)
        func found(_ provider: SnapshotProvider, _ most: Int) async throws -> [ProviderName: [CandidateID]] {
            var scene = Scene([])
            scene.likes = likes
            scene.budget = Budget(minimum: 0, maximum: most, currency: .usd)
            let recorder = Recorder(provider)
            var ports = scene.ports()
            ports.providers = .answering([recorder])
            _ = try await scene.run(ports: ports)
            return recorder.found
        }
        for round in 0..<12 {
            let most = 3_000 + round * 2_000
            let expected = try await found(SnapshotProvider(snapshot, embedder: nil), most)
            #expect(expected.values.joined().count > 24)
            #expect(try await found(shared, most) == expected, "\(most)")
        }
    }

    @Test func `are given to what answers in this process alone`() async throws {
        let plan = QueryPlan(
            phrases: ["kite"],
            budget: Budget(minimum: 0, maximum: 1, currency: .usd),
            place: nil,
            until: CivilDate(daysSinceEpoch: 20_000)
        )
        #expect(plan.rules == nil)
        #expect(ProviderCapability.wellKnown.allSatisfy { !$0.isInProcess })
    }
}

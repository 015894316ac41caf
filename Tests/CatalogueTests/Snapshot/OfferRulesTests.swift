import Fixtures
import KnotDomain
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing

@testable import Catalogue

/// What a catalogue leaves out before it searches, a run would have dropped.
@Suite("The rules that a search keeps to") struct OfferRulesTests {
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
        scene.dislikes = ["Wine", candidates[3].title]
        for candidate in candidates.prefix(20) { scene.remember(candidate.title, url: candidate.url) }
        scene.asOf = "2026-0\(5 + invented.number(below: 5))-11T12:00:00Z"
        if seed % 4 > 0 { scene.celebrate("2000-\(10 + invented.number(below: 3))-20") }
        let listener = RulesListener(candidates)
        var ports = scene.ports()
        ports.providers = .answering([listener])
        let run = try await scene.run(ports: ports)
        let rules = try #require(listener.rules, "seed \(seed)")
        let filter = CatalogueFilter(rules)
        var ready = CandidateFilter(filter)
        let naive = NaiveSearch(items: [])
        var passed = 0
        for candidate in candidates {
            // Nil for what no source asked for.
            guard let end = run.end(of: candidate.id.text), end != .dropped else { continue }
            #expect(naive.passes(candidate, filter), "seed \(seed), \(candidate.id) \(end)")
            let isAllowed = ready.allows(candidate)
            #expect(isAllowed, "seed \(seed), \(candidate.id) \(end)")
            #expect(try rules.pass([candidate]) == [true], "seed \(seed), \(candidate.id) \(end)")
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

    @Test func `are those of the plan's own filters, as they are set`() async throws {
        func rules(_ settings: [String]) async throws -> OfferRules {
            var scene = Scene([])
            scene.location = Place(city: "Portland", state: "OR", country: "US")
            return try #require(try await scene.rules(settings: settings))
        }
        let event = try #require(Instant(iso8601: "2026-11-01T20:00:00Z"))
        let salem = Place(city: "Salem", state: "OR", country: "US")
        let usual = try await rules([])
        #expect(!usual.allows(event, at: nil) && !usual.allows(salem))
        let wide = try await rules(["in_dates.horizon_days=365", "in_place.near_km=300"])
        #expect(wide.allows(event, at: nil) && wide.allows(salem))
        #expect(try #require(wide.lastStarts).upperBound > event && usual.lastStarts?.upperBound ?? event < event)
    }

    @Test func `of a day end with it by the clocks of each place`() async throws {
        var scene = Scene([])
        scene.celebrate("2000-03-03")
        let filter = CatalogueFilter(try #require(try await scene.rules()))
        let naive = NaiveSearch(items: [])
        func passes(_ start: String, _ place: Place?) -> Bool {
            naive.passes(.invented("e", "Concert", type: .experience, location: place, startsAt: start), filter)
        }
        let (reno, tokyo) = (
            Place(city: "Reno", state: "NV", country: "US"), Place(city: "Tokyo", state: nil, country: "JP")
        )
        #expect(passes("2026-03-03T23:59:00Z", nil) && !passes("2026-03-04T00:00:00Z", nil))
        #expect(passes("2026-03-04T07:59:00Z", reno) && !passes("2026-03-04T08:00:00Z", reno))
        #expect(passes("2026-03-03T14:59:00Z", tokyo) && !passes("2026-03-03T15:00:00Z", tokyo))
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

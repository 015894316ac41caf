import JSONDocument
import KnotDomain
import Shipped
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// Re-rolls through the result's own document, round after round.
@Suite struct RefreshTests {
    private static let scene: Scene = {
        let vintage = "A vintage retro find"
        var scene = Scene([
            .invented("a", "Oak mantel clock", price: 4_000, merchant: "Joiner", ships: 1),
            .invented("b", "Lambswool scarf", price: 6_000, merchant: "Weaver", ships: 1),
            .invented("c", "Slate serving tray", price: 8_000, merchant: "Quarry", ships: 1),
            .invented("d", "Brass desk lamp", price: 10_000, merchant: "Foundry", ships: 1),
            .invented("e", "Copper watering can", price: 12_000, merchant: "Tinsmith", ships: 1),
            .invented("f", "Ash wood stool", price: 14_000, merchant: "Joiner", ships: 1),
            .invented("g", "Linen apron", price: 5_000, merchant: "Tailor", ships: 1),
            .invented("h", "Walnut chess board", price: 9_000, merchant: "Turner", ships: 1),
            .invented("i", "Lambswool mittens", price: 7_000, merchant: "Knitter", ships: 1),
            .invented("j", "Bakelite radio", description: vintage, price: 7_500, merchant: "Attic", ships: 1),
            .invented("k", "Enamel coffee pot", description: vintage, price: 7_200, merchant: "Cellar", ships: 1),
            .invented("l", "Tin toy tram", description: vintage, price: 7_100, merchant: "Loft", ships: 1),
        ])
        scene.celebrate("2000-03-20")
        return scene
    }()

    private static func next(
        after run: EngineRun,
        _ reason: RefreshReason,
        rejected: Set<Int> = []
    ) throws -> RefreshRequest {
        let document = try #require(run.document())
        return try #require(RefreshDocument.next(after: JSONReader(document), reason: reason, rejected: rejected))
    }

    /// A first set of the given candidates alone, then the next one out of all of them.
    private static func second(
        after first: [String],
        _ reason: RefreshReason,
        rejected: Set<Int> = []
    ) async throws -> (first: EngineRun, second: EngineRun) {
        var small = scene
        small.candidates = scene.candidates.filter { first.contains($0.id.text) }
        let run = try await small.run()
        #expect(Set(run.shown) == Set(first))
        return (run, try await scene.run(refresh: try next(after: run, reason, rejected: rejected)))
    }

    @Test(arguments: RefreshReason.allCases) func `nothing that was shown comes back`(
        reason: RefreshReason
    ) async throws {
        let (first, second) = try await Self.second(after: ["b", "c", "h"], reason)
        #expect(Set(second.shown).isDisjoint(with: first.shown))
        #expect(second.document()?["refresh"]?["round"]?.int == 1)
    }

    @Test(arguments: RefreshReason.allCases) func `the occasion and its day are kept`(
        reason: RefreshReason
    ) async throws {
        let (first, second) = try await Self.second(after: ["b", "c", "h"], reason)
        for field in ["milestone_id", "occasion", "occurrence", "budget", "vault_id"] {
            #expect(first.document()?[field] == second.document()?[field], "\(field)")
        }
    }

    @Test func `too expensive means cheaper than the cheapest that was rejected`() async throws {
        let (_, second) = try await Self.second(after: ["c", "d", "e"], .tooExpensive)
        #expect(!second.shown.isEmpty && second.cards.values.allSatisfy { $0.budgetCents ?? 0 < 8_000 })
        #expect(second.dropReason(of: "h") == "not_cheaper")
    }

    @Test(arguments: [
        (RefreshReason.tooExpensive, ["m": 9_000, "n": 10_500, "o": 11_500, "p": 12_000, "q": 15_000]),
        (.tooCheap, ["m": 11_000, "n": 9_500, "o": 8_500, "p": 8_000, "q": 5_000]),
        // Three are left without giving way.
        (.tooExpensive, ["m": 5_000, "n": 6_000, "o": 7_000, "p": 9_000, "q": 10_500]),
    ])
    func `gives way to the dearest or the cheapest of those turned down where fewer than three are left, and says so`(
        reason: RefreshReason,
        prices: [String: Int]
    ) async throws {
        var scene = Self.scene
        scene.candidates = scene.candidates.filter { ["c", "d", "e"].contains($0.id.text) }
        let first = try await scene.run()
        try #require(Set(first.shown) == ["c", "d", "e"])
        let names = ["m": "Felt hat", "n": "Cork board", "o": "Glass bell", "p": "Tin whistle", "q": "Silk purse"]
        scene.candidates += prices.keys.sorted().map { id in
            .invented(id, names[id] ?? id, price: prices[id], merchant: "House \(id)", ships: 1)
        }
        let second = try await scene.run(refresh: try Self.next(after: first, reason))
        #expect(Set(second.shown) == ["m", "n", "o"])
        #expect(second.codes.contains("relaxed_rule") == (prices["m"] != 5_000))
    }

    @Test func `a later round gives way to the last that were turned down and not to those before`() async throws {
        var scene = Self.scene
        scene.candidates = scene.candidates.filter { ["c", "d", "e"].contains($0.id.text) }
        let first = try await scene.run()
        let names = ["Felt hat", "Cork board", "Glass bell", "Tin whistle", "Silk purse", "Jet beads"]
        scene.candidates += zip(names, [8_500, 9_000, 9_500, 8_800, 9_200, 11_900]).map { name, price in
            .invented(name, name, price: price, merchant: "House of \(name)", ships: 1)
        }
        let second = try await scene.run(refresh: try Self.next(after: first, .tooExpensive))
        scene.facts = [:]
        let dearest = second.cards.values.compactMap(\.budgetCents).max() ?? 0
        let third = try await scene.run(refresh: try Self.next(after: second, .tooExpensive))
        #expect(!third.shown.isEmpty && third.cards.values.allSatisfy { $0.budgetCents ?? .max < dearest })
    }

    @Test func `a last round of one card gives way to nothing of the rounds before`() async throws {
        var scene = Self.scene
        scene.candidates = scene.candidates.filter { ["c", "d", "e"].contains($0.id.text) }
        let first = try await scene.run()
        scene.candidates.append(.invented("Felt hat", "Felt hat", price: 5_000, merchant: "Hatter", ships: 1))
        let second = try await scene.run(refresh: try Self.next(after: first, .tooExpensive))
        #expect(second.shown == ["Felt hat"])
        scene.candidates += zip(["Cork board", "Glass bell"], [6_000, 7_000]).map { name, price in
            .invented(name, name, price: price, merchant: "House of \(name)", ships: 1)
        }
        let third = try await scene.run(refresh: try Self.next(after: second, .tooExpensive))
        #expect(third.shown == [])
    }

    @Test func `what an earlier round turned down sets no bound to give way to`() async throws {
        var scene = Self.scene
        scene.candidates = scene.candidates.filter { ["c", "d", "e"].contains($0.id.text) }
        var run = try await scene.run()
        scene.candidates += zip(["Felt hat", "Cork board", "Glass bell"], [11_000, 11_500, 11_800]).map { name, price in
            .invented(name, name, price: price, merchant: "House of \(name)", ships: 1)
        }
        var turnedDown: [Int] = []
        for _ in 0..<3 {
            let dearest = try #require(run.cards.max { $0.value.budgetCents ?? 0 < $1.value.budgetCents ?? 0 })
            let place = try #require(run.shown.firstIndex(of: dearest.key)) + 1
            turnedDown.append(dearest.value.budgetCents ?? 0)
            let request = try Self.next(after: run, .tooExpensive, rejected: [place])
            run = try await scene.run(refresh: request)
            let kept = Set(request.kept.map(\.candidateID.text))
            let fresh = run.cards.filter { !kept.contains($0.key) }
            #expect(fresh.values.allSatisfy { $0.budgetCents ?? .max < turnedDown.last ?? 0 }, "\(turnedDown)")
        }
    }

    @Test func `a last round that names no price gives way to none of before`() async throws {
        var scene = Self.scene
        scene.candidates = scene.candidates.filter { ["c", "d", "e"].contains($0.id.text) }
        let first = try await scene.run()
        scene.candidates = ["Felt hat", "Cork board", "Glass bell"].map { name in
            .invented(name, name, price: nil, merchant: "House of \(name)", ships: 1)
        }
        let second = try await scene.run(refresh: try Self.next(after: first, .tooExpensive))
        #expect(second.shown.count == 3)
        scene.candidates += ["Tin whistle", "Silk purse", "Jet beads"].map { name in
            .invented(name, name, price: 11_000, merchant: "House of \(name)", ships: 1)
        }
        let third = try await scene.run(refresh: try Self.next(after: second, .tooExpensive))
        #expect(third.shown.isEmpty, "\(third.shown)")
    }

    /// A first set of some prices alone, then what a reason after a reason shows of others.
    private static func third(
        _ first: [Int],
        _ then: [Int],
        _ reasons: [RefreshReason],
        _ last: [Int]
    ) async throws -> (second: EngineRun, third: EngineRun) {
        let offers = offers(first + then + last)
        var scene = Self.scene
        scene.candidates = Array(offers.prefix(first.count))
        let one = try await scene.run()
        scene.candidates = Array(offers.prefix(first.count + then.count))
        let two = try await scene.run(refresh: try next(after: one, reasons[0]))
        scene.candidates = offers
        return (two, try await scene.run(refresh: try next(after: two, reasons[1])))
    }

    /// Different things at some prices, sixteen at most.
    private static func offers(_ prices: [Int]) -> [Candidate] {
        zip(names, prices).map { name, price in
            .invented(name, name, price: price, merchant: "House of \(name)", ships: 1)
        }
    }

    private static let names = [
        "Felt hat", "Cork board", "Glass bell", "Tin whistle", "Silk purse", "Jet beads", "Oak clock", "Slate tray",
        "Brass lamp", "Copper can", "Ash stool", "Linen apron", "Walnut bowl", "Wool rug", "Clay pot", "Iron hook",
    ]

    @Test(arguments: [
        ([11_000, 6_100, 11_900], [4_000, 5_000, 6_000], [RefreshReason.tooExpensive, .tooCheap]),
        ([6_100, 7_000, 11_000], [11_500, 12_000, 13_000], [.tooCheap, .tooExpensive]),
    ])
    func `what was too expensive before gives way to what is too cheap now, and the other way round`(
        first: [Int],
        then: [Int],
        reasons: [RefreshReason]
    ) async throws {
        let (second, third) = try await Self.third(first, then, reasons, [7_200, 8_300, 9_400, 14_500])
        let shown = second.cards.values.compactMap(\.budgetCents)
        try #require(Set(shown) == Set(then))
        #expect(Set(third.cards.values.compactMap(\.budgetCents)) == [7_200, 8_300, 9_400])
        #expect(third.codes.contains("relaxed_rule"))
    }

    @Test func `where nothing lies between too expensive and too cheap, the last word alone counts`() async throws {
        let (_, third) = try await Self.third(
            [11_000, 6_100, 11_900],
            [4_000, 5_000, 6_000],
            [.tooExpensive, .tooCheap],
            [12_500, 13_600, 3_700]
        )
        #expect(Set(third.cards.values.compactMap(\.budgetCents)) == [12_500, 13_600])
        #expect(third.codes.contains("relaxed_rule"))
    }

    @Test(arguments: UInt64(1)...40)
    func `who says too cheap last is shown something dearer, who says too expensive something cheaper, if there is any`(
        seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        var scene = Self.scene
        let prices = Set((0..<14).map { _ in Int.random(in: 40...140, using: &random) * 100 })
        scene.candidates = Self.offers(prices.sorted())
        var run = try await scene.run()
        var left = prices
        for round in 1...4 where !run.shown.isEmpty {
            let shown = run.cards.values.compactMap(\.budgetCents)
            left.subtract(shown)
            let isCheap = Bool.random(using: &random)
            let (least, most) = (shown.min() ?? 0, shown.max() ?? 0)
            let fitting = left.filter { isCheap ? $0 > least : $0 < most }
            run = try await scene.run(refresh: try Self.next(after: run, isCheap ? .tooCheap : .tooExpensive))
            let fresh = run.cards.values.compactMap(\.budgetCents)
            #expect(fresh.isEmpty == fitting.isEmpty, "round \(round): \(fitting)")
            #expect(fresh.allSatisfy(fitting.contains), "round \(round): \(fresh) of \(fitting)")
        }
    }

    @Test func `only what was rejected sets the price`() async throws {
        var small = Self.scene
        small.candidates = small.candidates.filter { ["c", "d", "e"].contains($0.id.text) }
        let first = try await small.run()
        let dearest = try #require(first.shown.firstIndex(of: "e")) + 1
        let second = try await Self.scene.run(refresh: try Self.next(after: first, .tooExpensive, rejected: [dearest]))
        #expect(second.end(of: "h") != .dropped && second.dropReason(of: "f") == "not_cheaper")
        #expect(Set(second.shown).isSuperset(of: ["c", "d"]))
    }

    @Test(arguments: ["exact", "mmr", "dpp"])
    func `only rejected positions are replaced, and the others stay where they are`(selector: String) async throws {
        let patch: JSONValue? =
            selector == "exact"
            ? nil
            : [
                "nodes": [
                    "select": [
                        "kind": "select.greedy", "parameters": ["strength": .null, "method": .string(selector)],
                    ]
                ]
            ]
        let plan = try Scene.plan(ShippedPipelines.standard, patch: patch)
        func run(_ refresh: RefreshRequest?) async throws -> EngineRun {
            await Scene.engine.report(plan, ports: Self.scene.ports(refresh: refresh), options: RunOptions())
        }
        let first = try await run(nil)
        try #require(first.shown.count == 3)
        for pattern in 1..<7 {
            let rejected = Set((1...3).filter { pattern & 1 << ($0 - 1) != 0 })
            for reason in [RefreshReason.showDifferent, .notTheirStyle] {
                let second = try await run(try Self.next(after: first, reason, rejected: rejected))
                try #require(second.shown.count == 3, "\(selector) \(rejected) \(reason)")
                for position in 1...3 {
                    let (old, new) = (first.shown[position - 1], second.shown[position - 1])
                    #expect((old == new) != rejected.contains(position), "\(selector) \(rejected) \(reason)")
                }
                #expect(Set(second.shown).count == 3)
                for position in rejected { #expect(!second.shown.contains(first.shown[position - 1])) }
            }
        }
    }

    @Test func `what was kept can be rejected in the next round, and what was rejected stays away`() async throws {
        let first = try await Self.scene.run()
        let second = try await Self.scene.run(refresh: Self.next(after: first, .showDifferent, rejected: [2, 3]))
        #expect(second.shown[0] == first.shown[0])
        let third = try await Self.scene.run(refresh: Self.next(after: second, .showDifferent, rejected: [1]))
        #expect(third.shown.dropFirst() == second.shown.dropFirst())
        #expect(Set(third.shown).isDisjoint(with: first.shown))
        let fourth = try await Self.scene.run(refresh: Self.next(after: third, .showDifferent))
        #expect(Set(fourth.shown).isDisjoint(with: Set(first.shown + second.shown + third.shown)))
    }

    @Test func `the best set around what is kept is taken, under the hard rules`() async throws {
        let first = try await Self.scene.run()
        let second = try await Self.scene.run(refresh: Self.next(after: first, .showDifferent, rejected: [3]))
        let ranking = try #require(second.report.output(of: "combine", as: Ranking<Offer>.self))
        let node = try #require(second.plan["select"])
        guard case .success(let set) = second.result else { return }
        let search = SetSearch(
            ranking.entries,
            objective: SetObjective(node.parameters, rules: SetRules(node.parameters)),
            brief: set.brief
        )
        let places = ranking.entries.indices
        let kept = places.filter { first.shown.prefix(2).contains(ranking.entries[$0].item.candidate.id.text) }
        let values = places.filter { !kept.contains($0) && search.isAllowed(kept + [$0]) }
            .map { search.value(of: kept + [$0]) }
        let shown = places.filter { second.shown.contains(ranking.entries[$0].item.candidate.id.text) }
        #expect(search.value(of: shown) == values.max())
    }

    @Test func `a kept choice that cannot be had any more is replaced, and that is said`() async throws {
        let first = try await Self.scene.run()
        var scene = Self.scene
        scene.candidates.removeAll { $0.id.text == first.shown[0] }
        let second = try await scene.run(refresh: Self.next(after: first, .showDifferent, rejected: [2]))
        #expect(second.shown.count == 3 && second.codes.contains("not_kept"))
        #expect(second.shown.contains(first.shown[2]))
    }

    @Test func `too cheap means dearer than the dearest that was rejected`() async throws {
        let (_, second) = try await Self.second(after: ["a", "b", "g"], .tooCheap)
        #expect(second.shown.count == 3 && second.cards.values.allSatisfy { $0.budgetCents ?? 0 > 6_000 })
    }

    @Test func `not their style turns away from the vibe, for gifts too`() async throws {
        let (_, second) = try await Self.second(after: ["j", "b", "c"], .notTheirStyle)
        for id in ["k", "l"] { #expect(second.dropReason(of: id) == "not_their_style", "\(id)") }
        #expect(second.shown.count == 3)
    }

    @Test func `what was rejected rules the others alike whether it is offered again or not`() async throws {
        var small = Self.scene
        small.candidates = small.candidates.filter { ["j", "b", "c"].contains($0.id.text) }
        let refresh = try Self.next(after: try await small.run(), .notTheirStyle)
        var without = Self.scene
        without.candidates.removeAll { ["j", "b", "c"].contains($0.id.text) }
        let (more, fewer) = (try await Self.scene.run(refresh: refresh), try await without.run(refresh: refresh))
        #expect(more.shown == fewer.shown && fewer.dropReason(of: "k") == "not_their_style")
    }

    @Test func `already have similar drops the merchant's and the like`() async throws {
        let (_, second) = try await Self.second(after: ["a", "b", "c"], .alreadyHaveSimilar)
        #expect(second.dropReason(of: "f") == "already_have_similar")
        #expect(second.dropReason(of: "i") == "already_have_similar")
        #expect(second.end(of: "h") != .dropped)
    }

    @Test func `already have similar drops gifts of the same kind, whatever else their titles say`() async throws {
        var scene = Self.scene
        scene.candidates = [
            .invented("a", "Striped merino scarf", merchant: "Weaver", ships: 1),
            .invented("b", "Slate serving tray", merchant: "Quarry", ships: 1),
            .invented("c", "Walnut chess board", merchant: "Turner", ships: 1),
        ]
        let first = try await scene.run()
        scene.candidates += [
            .invented("d", "Long silk scarf, peacock", merchant: "Painter", ships: 1),
            .invented("e", "Rack for scarf and hat", merchant: "Joiner", ships: 1),
            .invented("f", "Brass desk lamp", merchant: "Foundry", ships: 1),
        ]
        let second = try await scene.run(refresh: try Self.next(after: first, .alreadyHaveSimilar))
        #expect(second.dropReason(of: "d") == "already_have_similar")
        #expect(second.dropReason(of: "e") == nil && second.dropReason(of: "f") == nil)
    }

    @Test func `rounds add up until nothing is left, and nothing is made up`() async throws {
        var shown: Set<String> = []
        var run = try await Self.scene.run()
        var rounds = 0
        while !run.shown.isEmpty, rounds < 8 {
            #expect(shown.isDisjoint(with: run.shown), "round \(rounds)")
            shown.formUnion(run.shown)
            rounds += 1
            run = try await Self.scene.run(refresh: try Self.next(after: run, .showDifferent))
            let carried = run.document()?["refresh"]?["rejections"]?.array?.count
            #expect(carried == shown.count && run.document()?["refresh"]?["round"]?.int == rounds)
        }
        #expect(run.outcome == .short && shown.count == Self.scene.candidates.count)
    }

    @Test func `a document without choices, or with damaged ones, is refused with its paths`() throws {
        let broken: JSONValue = [
            "choices": [["position": 9, "candidate_id": 3]]
        ]
        let reader = JSONReader(broken)
        #expect(RefreshDocument.next(after: reader, reason: .tooCheap, rejected: []) == nil)
        #expect(!reader.problems.list.isEmpty)
        let empty = JSONReader([:] as JSONValue)
        #expect(RefreshDocument.next(after: empty, reason: .tooCheap, rejected: []) == nil)
    }
}

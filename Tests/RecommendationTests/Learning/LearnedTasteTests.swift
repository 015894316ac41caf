import JSONDocument
import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Explanation
@testable import Recommendation

/// What learned weights do to a run.
@Suite struct LearnedTasteTests {
    /// Things that only differ in what they are and show.
    private static var scene: Scene {
        var scene = Scene([
            .invented("a", "Oak tray", price: 6_000),
            .invented("b", "Tasting evening", type: .experience, price: 6_000),
            .invented("c", "Retro radio, a real antique", price: 6_000),
            .invented("d", "Hiking boots", price: 6_000),
        ])
        scene.likes = ["Hiking"]
        scene.vibes = [.vintage]
        return scene
    }

    private static func taste(
        _ weights: [String: Double],
        signals: Int = 5,
        daysAgo: Int = 0,
        in scene: Scene
    ) -> LearnedTaste {
        LearnedTaste(
            weights: weights,
            signalCount: signals,
            halfLifeDays: 365,
            asOf: scene.now.adding(seconds: -86_400 * daysAgo)
        )
    }

    private static func scores(_ weights: [String: Double], daysAgo: Int = 0) async throws -> [String: Double] {
        var scene = Self.scene
        scene.learned = taste(weights, daysAgo: daysAgo, in: scene)
        let run = try await scene.run(settings: ["combine.learned=1"])
        let ranking = try #require(run.report.output(of: "combine", as: Ranking<Offer>.self))
        return Dictionary(uniqueKeysWithValues: ranking.entries.map { ($0.item.candidate.id.text, $0.score) })
    }

    @Test func `that cannot be read name every problem`() throws {
        let text = """
            {"as_of": "soon", "half_life_days": 0, "signals": -1, "weights": {"type:gift": 3, "vibe:vintage": "much"}}
            """
        let reader = JSONReader(try JSONParser.parse(Array(text.utf8)))
        #expect(LearnedTaste(reading: reader) == nil)
        #expect(
            Set(reader.problems.list.map(\.path)) == [
                "$.as_of", "$.half_life_days", "$.signals", "$.weights[\"type:gift\"]", "$.weights[\"vibe:vintage\"]",
            ]
        )
    }

    @Test func `that were learned come out of a vault as they went in, and no word of them where there are none`()
        throws
    {
        var scene = Self.scene
        #expect(scene.vault.json["learned"] == nil)
        scene.learned = Self.taste(["type:gift": 0.75, "interest:Hiking": 1.25], in: scene)
        let learned = try #require(scene.learned)
        #expect(LearnedTaste(reading: JSONReader(learned.json)) == learned)
        #expect(scene.vault.json["learned"] == learned.json)
    }

    @Test func `of too few signals, or of nothing an offer shows, change nothing`() async throws {
        let plain = try await Self.scene.run()
        var scene = Self.scene
        scene.learned = Self.taste(["type:gift": 0.5], signals: 2, in: scene)
        let few = try await scene.run()
        #expect(few.text() == plain.text())
        scene.learned = Self.taste(["budget": 2, "vibe:bohemian": 0.5], in: scene)
        let other = try await scene.run()
        #expect(other.text() == plain.text())
    }

    @Test(arguments: [("type:experience", "b"), ("vibe:vintage", "c"), ("interest:Hiking", "d")])
    func `lift what shows a rewarded factor and lower what shows a punished one`(
        factor: String,
        candidate: String
    ) async throws {
        let plain = try await Self.scores(["budget": 1])
        let liked = try await Self.scores([factor: 1.6])
        let punished = try await Self.scores([factor: 0.6])
        for id in plain.keys {
            let before = try #require(plain[id])
            if id == candidate {
                #expect(try #require(liked[id]) > before && before > #require(punished[id]))
            } else {
                #expect(liked[id] == before && punished[id] == before)
            }
        }
    }

    @Test func `turn an order of equals around`() async throws {
        var scene = Scene([
            .invented("a", "Oak tray", price: 6_000),
            .invented("b", "Oak tray for two", type: .experience, price: 6_000),
        ])
        scene.learned = Self.taste(["type:gift": 1.8, "type:experience": 0.6], in: scene)
        let gifts = try await scene.run(settings: ["combine.learned=1"])
        #expect(gifts.ranked == ["a", "b"])
        scene.learned = Self.taste(["type:gift": 0.6, "type:experience": 1.8], in: scene)
        let outings = try await scene.run(settings: ["combine.learned=1"])
        #expect(outings.ranked == ["b", "a"])
    }

    @Test func `fade: after a half-life they count half`() async throws {
        let now = try await Self.scores(["type:experience": 2])
        let later = try await Self.scores(["type:experience": 2], daysAgo: 365)
        let plain = try await Self.scores(["budget": 1])
        let (fresh, old) = (
            try #require(now["b"]) - plain["b", default: 0], try #require(later["b"]) - plain["b", default: 0]
        )
        #expect(fresh > 0 && abs(old - fresh / 2) < 1e-9)
    }

    @Test func `say in the evidence which factor it was`() async throws {
        var scene = Self.scene
        scene.learned = Self.taste(["vibe:vintage": 1.5], in: scene)
        let run = try await scene.run()
        let ranking = try #require(run.report.output(of: "combine", as: Ranking<Offer>.self))
        let entry = try #require(ranking.entries.first { $0.item.candidate.id.text == "c" })
        let evidence = try #require(entry.total.evidence.first { $0.kind == "learned" })
        #expect(evidence.ref == "vibe:vintage" && evidence.weight > 0)
        #expect(EvidenceLine(evidence, nil, showsHints: false).words == "feedback on the vibe vintage")
        #expect(
            EvidenceLine(Evidence(kind: "learned", ref: "gift", weight: 1), nil, showsHints: false).words
                == "feedback on things of the type gift"
        )
    }
}

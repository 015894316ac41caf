import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What the classic pipeline gets wrong in telling what a thing is: flaws 1 to 5, each shown, each absent from ours.
@Suite struct ClassicFlawsInMatchingTests {
    @Test func `flaw 1: substrings hit what they do not mean, and synonyms are missed`() async throws {
        var scene = Scene([
            .invented("lamp", "Smart reading lamp with dimmer"),
            .invented("tiles", "Spanish ceramic serving dish", description: "A signature glaze from Seville"),
            .invented("console", "PlayStation 5 controller with charging dock"),
            .invented("scarf", "Lambswool scarf in heather grey"),
            .invented("clock", "Oak mantel clock"),
        ])
        scene.dislikes = ["Art", "Nature", "Gaming"]
        let classic = try await scene.run("classic")
        #expect(classic.end(of: "lamp") == .dropped)
        #expect(classic.end(of: "tiles") == .dropped)
        #expect(classic.shown.contains("console"))
        let ours = try await scene.run()
        #expect(ours.end(of: "lamp") != .dropped)
        #expect(ours.end(of: "tiles") != .dropped)
        #expect(ours.dropReason(of: "console") == "disliked")
        #expect(ours.shown.count == 3)
    }

    @Test func `flaw 2: the cut to nine comes before love languages, so gifts crowd out every experience`() async throws
    {
        let likes = ["Hiking", "Coffee", "Photography", "Baking"]
        let gifts = likes.flatMap { like in
            (1...3).map { Candidate.invented("\(like)-\($0)", "\(like) present number \($0)", price: 6_000) }
        }
        let outings = [("boat", "Rowing boat afternoon"), ("stars", "Planetarium evening"), ("trams", "Old tram tour")]
            .map { Candidate.invented($0.0, $0.1, provider: .yelp, type: .experience, price: 6_000) }
        var scene = Scene(gifts + outings)
        scene.likes = likes
        scene.languages = LoveLanguages(primary: .qualityTime, secondary: .actsOfService)
        let classic = try await scene.run("classic")
        for outing in outings { #expect(classic.end(of: outing.id.text) == .cut) }
        #expect(classic.cards.values.allSatisfy { $0.offer.candidate.type == .gift })
        let ours = try await scene.run()
        for outing in outings { #expect(ours.end(of: outing.id.text) != .cut) }
        #expect(ours.cards.values.contains { $0.offer.candidate.type != .gift })
    }

    @Test func `flaw 3: the floor hides an interest, and vibes add up without a ceiling`() async throws {
        var scene = Scene([
            .invented("none", "Linen tea towel"),
            .invented("one", "Cycling tea towel"),
            .invented(
                "styled",
                "Vintage handmade retro poster",
                description: "Romantic, minimal, outdoor, urban and elegant; an adventure"
            ),
        ])
        scene.likes = ["Cycling"]
        scene.vibes = Vibe.allCases
        let classic = try await scene.run("classic")
        let classicScores = classic.cards.mapValues(\.ranked.score)
        #expect(classicScores["none"] == classicScores["one"])
        #expect(try #require(classicScores["styled"]) > 2)
        let ours = try await scene.run()
        let scores = ours.cards.mapValues(\.ranked.score)
        #expect(try #require(scores["one"]) > (try #require(scores["none"])))
        #expect(scores.values.allSatisfy { (0...1).contains($0) })
    }

    @Test func `flaw 4: without vocabulary tags only keywords are left`() async throws {
        var scene = Scene([
            .invented("sommelier", "An evening with a sommelier", provider: .yelp, type: .experience),
            .invented("tagged", "An evening at the cellar door", provider: .yelp, type: .experience, tags: ["Wine"]),
            .invented("bench", "Oak entry bench"),
        ])
        scene.likes = ["Wine"]
        let classic = try await scene.run("classic")
        let classicColumn = try #require(classic.report.output(of: "interests_first", as: ScoreColumn.self))
        #expect(classicColumn[ItemID("sommelier")]?.value == 0)
        #expect(classicColumn[ItemID("tagged")]?.value == 1.5)
        let ours = try await scene.run()
        let column = try #require(ours.report.output(of: "interests", as: ScoreColumn.self))
        #expect(try #require(column[ItemID("sommelier")]).value > 0)
        #expect(column[ItemID("bench")]?.value == 0)
        #expect(
            try #require(ours.ranked.firstIndex(of: "sommelier")) < (try #require(ours.ranked.firstIndex(of: "bench")))
        )
    }

    @Test func `flaw 5: hints reach no scorer, and a no is taken for a wish`() async throws {
        var scene = Scene([
            .invented("roses", "Two dozen red roses in a hat box", description: "Romantic roses for couples"),
            .invented("gloves", "Fleece-lined gardening gloves"),
            .invented("frame", "Walnut picture frame"),
            .invented("tray", "Slate serving tray"),
        ])
        scene.vibes = [.romantic]
        let unheard = try await scene.run("classic")
        scene.note("Her hands are always cold at the allotment", serves: ["lined gardening gloves"], stance: .needs)
        scene.note("She is so over roses", avoid: ["roses"], stance: .avoids, strength: 0)
        let classic = try await scene.run("classic")
        #expect(classic.shown == unheard.shown && classic.shown.contains("roses"))
        let ours = try await scene.run()
        #expect(ours.dropReason(of: "roses") == "avoided")
        #expect(ours.ranked.first == "gloves")
        #expect(ours.cards["gloves"]?.hints == [HintID("hint-1")])
    }

    @Test func `flaw 5: neither age, nor use, nor repetition of a hint counts`() async throws {
        func weight(daysAgo: Int = 10, isUsed: Bool = false, again: Bool = false) async throws -> Double {
            var scene = Scene([.invented("kettle", "Gooseneck pour-over kettle"), .invented("rug", "Jute runner")])
            let serves = ["gooseneck kettle"]
            scene.note("Her old kettle drips", daysAgo: daysAgo, serves: serves, strength: 0.6, isUsed: isUsed)
            if again { scene.note("The kettle dripped again", serves: serves, strength: 0.6) }
            let classic = try await scene.run("classic")
            #expect(Set(classic.cards.values.map(\.ranked.score)).count == 1)
            let digest = try #require(try await scene.run().report.output(of: "retrieve", as: HintDigest.self))
            return try #require(digest.ranked.first { $0.hint.id.text == "hint-1" }).weight
        }
        let fresh = try await weight()
        #expect(try await weight(daysAgo: 700) < fresh)
        #expect(try await weight(isUsed: true) < fresh)
        #expect(try await weight(again: true) > fresh)
    }

    @Test func `flaw 5: an error of the search for hints has no fallback`() async throws {
        var scene = Scene([
            .invented("gloves", "Fleece-lined gardening gloves"), .invented("frame", "Walnut picture frame"),
            .invented("tray", "Slate serving tray"),
        ])
        scene.note("Her hands are always cold at the allotment", serves: ["lined gardening gloves"], stance: .needs)
        var ports = scene.ports()
        ports.embedder = DownEmbedder()
        let classic = try await scene.run("classic", ports: ports)
        #expect(classic.outcome == .failed)
        let ours = try await scene.run(ports: ports)
        #expect(ours.outcome == .degraded && ours.codes.contains("embedder_failed"))
        #expect(ours.shown.first == "gloves")
    }
}

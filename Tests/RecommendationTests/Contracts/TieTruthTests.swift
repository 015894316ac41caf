import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// A tie says of a note and of an offer what they say, and nothing of a note that speaks against the card.
@Suite struct TieTruthTests {
    @Test(arguments: [
        "hands split to bits, and that lavender cream stinks so he'll no touch it",
        "he cannae be doing wi lavender hand cream",
        "The lavender hand cream is back at the shop",
        "Tried the lavender hand cream. She wrinkled her nose and that was that",
        "Lavender hand cream again last year and she sent it back",
    ])
    func `a note that speaks against its thing is told on no card`(note: String) async throws {
        var scene = Scene([.invented("cream", "Lavender hand cream", tags: ["lavender"])])
        scene.note(note, serves: ["lavender hand cream"])
        let card = try #require(try await scene.run().cards["cream"])
        #expect(card.tie == .none && !card.reason.contains("noted on"), "\(card.reason)")
    }

    @Test func `a note that has the words speaks of them, and what it is taken to mean is suggested`() async throws {
        var scene = Scene([.invented("bench", "Garden bench"), .invented("kneeler", "Padded kneeler")])
        scene.note("since the surgery she wants a bench in the garden", serves: ["garden bench"])
        scene.note("her knees hurt since the surgery", serves: ["padded kneeler"])
        let cards = try await scene.run().cards
        let bench = try #require(cards["bench"]?.reason)
        #expect(bench.contains("speaks of \u{201C}garden bench\u{201D}"), "\(bench)")
        let kneeler = try #require(cards["kneeler"]?.reason)
        #expect(kneeler.contains("suggests \u{201C}padded kneeler\u{201D}"), "\(kneeler)")
    }

    @Test func `words that only a tag has are not said to stand on the card`() async throws {
        var scene = Scene([
            .invented("shed", "Shed roof", tags: ["gardening"]),
            .invented("frame", "Cedar frame", description: "For gardening without bending", tags: ["gardening"]),
        ])
        scene.likes = ["Gardening"]
        let cards = try await scene.run().cards
        let shed = try #require(cards["shed"]?.reason)
        #expect(shed.contains("it is listed under \u{201C}gardening\u{201D}"), "\(shed)")
        let frame = try #require(cards["frame"]?.reason)
        #expect(frame.contains("it says \u{201C}gardening\u{201D}"), "\(frame)")
    }

    @Test func `a form that anything may come in ties no offer to a note`() async throws {
        var scene = Scene([
            .invented("darkroom", "Darkroom class for two", type: .experience, tags: ["class"]),
            .invented("bread", "Bread class for two", type: .experience, tags: ["class"]),
        ])
        scene.note("he wants to learn bread from scratch", serves: ["class for two", "bread class"])
        let cards = try await scene.run().cards
        #expect(cards["darkroom"]?.tie == Tie.none, "\(cards["darkroom"]?.reason ?? "")")
        #expect(cards["bread"].map { $0.tie != .none } == true, "\(cards["bread"]?.reason ?? "")")
    }

    @Test(arguments: [
        (offer: "Harp strings, full set", phrase: "lute strings", alike: [["harp", "lute"]]),
        (offer: "Harp strings", phrase: "gut lute string set", alike: [["harp", "lute"], ["strings", "string"]]),
        (
            offer: "Linen nightcap, long", phrase: "felt slippers",
            alike: [["linen", "felt"], ["nightcap", "slippers"]]
        ),
    ])
    func `an offer that lies near what is asked for, and is another thing, is not tied to the note`(
        offer: String,
        phrase: String,
        alike: [[String]]
    ) async throws {
        var scene = Scene([.invented("it", offer)])
        scene.note("The old ones are worn out", serves: [phrase])
        var ports = scene.ports()
        ports.embedder = WordAxes(alike: alike)
        let card = try #require(try await scene.run(ports: ports).cards["it"])
        #expect(card.tie == Tie.none, "\(card.reason)")
    }

    @Test func `an offer of the thing that is asked for, in other words beside, is tied to the note`() async throws {
        var scene = Scene([.invented("it", "Garden stool for slow weeding")])
        scene.note("Her knees hurt in the beds", serves: ["kneeling garden bench"])
        var ports = scene.ports()
        ports.embedder = WordAxes(alike: [["stool", "bench"], ["weeding", "kneeling"], ["for", "wicker"]])
        let card = try #require(try await scene.run(ports: ports).cards["it"])
        #expect(card.tie != Tie.none, "\(card.reason)")
    }
}

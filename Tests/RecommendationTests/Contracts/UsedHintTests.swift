import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// A set uses up the notes that its cards are about, and no others.
@Suite struct UsedHintTests {
    @Test func `a card uses the note that it is about`() async throws {
        var scene = Scene([
            .invented("kettle", "Gooseneck kettle", description: "For pour-over coffee"),
            .invented("walk", "Moss garden walk", type: .experience, description: "With a film afterwards"),
            .invented("lamp", "Brass desk lamp"),
        ])
        scene.note("she needs a gooseneck kettle", serves: ["gooseneck kettle"], strength: 0.9)
        scene.note("coffee is her morning", serves: ["coffee subscription"], strength: 0.5)
        scene.note("she keeps borrowing an old film camera", serves: ["film camera"], strength: 0.9)
        let cards = try await scene.run().cards
        #expect(cards["kettle"]?.hints == [HintID("hint-1")], "\(cards["kettle"]?.reason ?? "")")
        #expect(cards["walk"]?.tie == Tie.none && cards["walk"]?.hints.isEmpty == true)
        #expect(cards["lamp"]?.hints.isEmpty == true)
    }

    @Test func `another that counted as much is used up with it`() async throws {
        var scene = Scene([.invented("kettle", "Gooseneck kettle"), .invented("lamp", "Brass desk lamp")])
        scene.note("she needs a gooseneck kettle", serves: ["gooseneck kettle"])
        scene.note("the kettle drips, the gooseneck one", serves: ["gooseneck kettle"])
        scene.note("she likes a kettle", serves: ["stove kettle"], strength: 0.4)
        let used = try await scene.run().cards["kettle"]?.hints ?? []
        #expect(Set(used) == [HintID("hint-1"), HintID("hint-2")])
    }

    @Test func `a card about a like uses no note`() async throws {
        var scene = Scene([
            .invented("class", "Coffee class for the garden", tags: ["coffee"]), .invented("lamp", "Brass desk lamp"),
        ])
        scene.likes = ["Coffee"]
        scene.note("she wants a garden bench by the pond", serves: ["garden bench"])
        let card = try #require(try await scene.run().cards["class"])
        #expect(card.tie.hint == nil && card.hints.isEmpty, "\(card.reason)")
    }
}

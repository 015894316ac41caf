import KnotDomain
import Recommendation
import TestSupport
import Testing

/// What is said of where something happens, and what is dropped for it.
@Suite("Nearness") struct NearnessTests {
    private static func place(_ city: String, _ state: String?) -> Place {
        Place(city: city, state: state, country: "US")
    }

    private static func scene(at home: Place, _ places: [Place]) -> Scene {
        var scene = Scene(
            places.enumerated().map { number, place in
                let name = ["Copper kettle hour", "Brass compass walk", "Walnut tray evening"][number]
                return .invented("c\(number)", name, type: .experience, merchant: "Shop \(number)", location: place)
            }
        )
        scene.location = home
        return scene
    }

    @Test func `drops a town of another state also where the vault names no state`() async throws {
        let run = try await Self.scene(
            at: Self.place("Chicago", nil),
            [Self.place("Talkeetna", "AK"), Self.place("Hana", "HI"), Self.place("Evanston", "IL")]
        ).run()
        #expect(run.dropReason(of: "c0") == "wrong_place" && run.dropReason(of: "c1") == "wrong_place")
        #expect(run.cards["c2"]?.reason.contains("near you") == true)
    }

    /// A region may be a thousand kilometres wide.
    @Test func `is said only of home and where kilometres are known`() async throws {
        let unmapped = try await Self.scene(
            at: Self.place("Denver", "CO"),
            [Self.place("Small Mercy", "CO"), Self.place("Denver", "CO"), Self.place("Boulder", "CO")]
        ).run().cards
        #expect(unmapped["c0"]?.reason.contains("near you") == false)
        #expect(unmapped["c1"]?.reason.contains("near you") == true)
        #expect(unmapped["c2"]?.reason.contains("near you") == true)
        var scene = Self.scene(
            at: Self.place("Denver", "CO"),
            [Self.place("Little Quarrel", "UT"), Self.place("Small Mercy", nil), Self.place("Boulder", "CO")]
        )
        scene.note("the springs at Little Quarrel", serves: ["springs"], strength: 0.1)
        let cards = try await scene.run().cards
        #expect(cards["c0"]?.reason.contains("near you") == false)
        #expect(cards["c1"]?.reason.contains("near you") == false)
        #expect(cards["c2"]?.reason.contains("near you") == true)
    }
}

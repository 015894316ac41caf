import KnotDomain
import Recommendation
import TestSupport
import Testing

/// A past gift rules out itself and its kind, and not the words of its title.
@Suite("A past gift") struct PastGiftTests {
    private static let bought = [Feedback(action: .purchased, rating: nil, reason: nil)]

    /// What is left of some offers beside a past gift, by rules alone.
    private func dropped(after past: String, type: CandidateType = .gift, _ offers: [String]) async throws -> [String] {
        var scene = Scene(
            offers.enumerated().map { .invented("c\($0)", $1, type: type, merchant: "Shop \($0)") }
                + (0..<4).map { .invented("f\($0)", "Brass compass no \($0)", merchant: "Filler \($0)", ships: 1) }
        )
        scene.remember(past, type: type, merchant: "House of before", feedback: Self.bought)
        let run = try await scene.run()
        return offers.indices.filter { run.dropReason(of: "c\($0)") != nil }.map { offers[$0] }
    }

    @Test(arguments: [
        ("Merino Socks (Pair)", ["Pair of Theatre Seats", "Pair of Enamel Lanterns", "Au Pair: a Memoir"]),
        ("Book and Tea", ["Breakfast Hamper with Tea Towel", "Tea Garden Stroll Guide", "Book Stand in Ash"]),
        ("Stoneware Mug, Blue Glaze", ["Blue Wool Blanket", "Glaze Your Own Plate Kit", "Stoneware Vase"]),
        ("Concert Tickets for Two", ["Ceramics Kit for Two", "Tickets to the Aquarium"]),
        ("Gift Box: Soap and Candle", ["Wooden Box Planes", "Gift Wrap in Linen"]),
        ("The Night Garden, Hardcover", ["Night Sky Star Chart", "Garden Kneeler"]),
        ("Hoof Knife, Right-Handed", ["Filleting Knife with Cork Sheath"]),
        ("Leather Camera Strap", ["Leather Belt", "Camera Lens Cloth", "Strap-On Headlamp"]),
        ("Yoga Mat", ["Yoga Mat Bag", "Yoga Mat Strap"]), ("Record Player", ["Record Player Needle"]),
        ("Sewing Machine", ["Sewing Machine Case"]),
    ])
    func `leaves alone what only shares its words`(past: String, offers: [String]) async throws {
        #expect(try await dropped(after: past, offers).isEmpty)
    }

    @Test(arguments: [
        (
            "Stoneware Mug, Blue Glaze",
            ["Stoneware Mug", "Porcelain Mug", "Stoneware Mug in Blue Glaze, Large", "Set of Two Mugs"]
        ),
        ("Merino Socks (Pair)", ["Wool Socks", "Pair of Merino Socks"]),
        ("Silk Scarf, Peacock", ["Cashmere Scarf", "Long Silk Scarf in Green"]),
        ("Landscape Jigsaw, 2000 Pieces", ["Limited Edition Jigsaw, 3000 Pieces"]),
        ("Slow Cooker, 3.5 Litre", ["Programmable Slow Cooker, 6 Litre"]),
        ("Leather Camera Strap", ["Canvas Camera Strap", "Camera Strap"]),
        ("Yoga Mat", ["Yoga Mat with Strap", "Cork Yoga Mat", "Yoga Mat and Bag"]),
    ])
    func `rules out the same thing and its kind`(past: String, offers: [String]) async throws {
        #expect(try await dropped(after: past, offers) == offers)
    }

    @Test func `of another type rules out no other type's kind`() async throws {
        var scene = Scene([
            .invented("class", "Mug Throwing Class", type: .experience), .invented("b", "Brass compass", ships: 1),
            .invented("c", "Walnut tray", ships: 1),
        ])
        scene.remember("Stoneware Mug", feedback: Self.bought)
        #expect(try await scene.run().dropReason(of: "class") == nil)
    }

    @Test(arguments: [
        ("Thai Cooking Class for Two", ["Mexican Cooking Class for Two", "Cooking Class for Two: Tagine"]),
        ("Live Jazz Night: Old Standards", ["Live Jazz Night: Brass Band"]),
    ])
    func `rules out no outing that has a telling word of its own in place of one of its`(
        past: String,
        offers: [String]
    ) async throws {
        #expect(try await dropped(after: past, type: .experience, offers).isEmpty)
    }

    @Test(arguments: [
        (
            "Thai Cooking Class for Two",
            ["Cooking Class for Two", "Thai Cooking Class", "Thai Cooking Class for Two, Evenings"]
        ),
        ("Spa Day", ["Spa Day with Mud Bath"]),
    ])
    func `rules out the outing that says more or less of the same`(past: String, offers: [String]) async throws {
        #expect(try await dropped(after: past, type: .experience, offers) == offers)
    }

    @Test func `that was an experience is the same where somebody calls it a date`() async throws {
        var scene = Scene([
            .invented("again", "Thai Cooking Class", type: .date), .invented("b", "Brass compass", ships: 1),
        ])
        scene.remember("Thai Cooking Class", type: .experience, feedback: Self.bought)
        #expect(try await scene.run().dropReason(of: "again") == "already_given")
    }

    /// What is left out of shawls after one was given so many days ago, and noted ten days ago.
    private func dropped(shawlGiven daysAgo: Int, _ stance: HintReading.Stance = .wants) async throws -> [String] {
        var scene = Scene([
            .invented("same", "Silk Shawl, Ochre"),
            .invented("page", "Woollen Shawl", url: "https://shop.example/past"),
            .invented("other", "Cashmere Shawl"), .invented("near", "Silk Shawl"),
            .invented("pin", "Shawl Pin", ships: 1),
        ])
        scene.remember("Silk Shawl, Ochre", url: "https://shop.example/past", daysAgo: daysAgo, feedback: Self.bought)
        scene.note("Her shawl is lost and she misses it", serves: ["woven shawl"], stance: stance)
        let run = try await scene.run()
        return scene.candidates.map(\.id.text).filter { run.dropReason(of: $0) == "already_given" }
    }

    @Test func `gives way to a later wish for its kind, though not as the very same thing`() async throws {
        #expect(try await dropped(shawlGiven: 900) == ["same", "page"])
        #expect(try await dropped(shawlGiven: 900, .needs) == ["same", "page"])
    }

    @Test func `stands where the wish is older, or none`() async throws {
        #expect(try await dropped(shawlGiven: 5) == ["same", "page", "other", "near"])
        #expect(try await dropped(shawlGiven: 900, .likes) == ["same", "page", "other", "near"])
    }

    @Test func `that was refused gives way to no wish`() async throws {
        var scene = Scene([.invented("it", "Silk Shawl, Ochre and Blue"), .invented("b", "Brass compass", ships: 1)])
        let refusal = Feedback(action: .rated, rating: 1, reason: nil)
        scene.remember("Silk Shawl, Ochre", daysAgo: 900, feedback: Self.bought + [refusal])
        scene.note("She wants a shawl", serves: ["shawl"])
        #expect(try await scene.run().dropReason(of: "it") == "already_refused")
    }

    @Test func `that is at home already rules out its kind until a later wish for one`() async throws {
        var scene = Scene([
            .invented("other", "Ceramic table lamp", merchant: "Kiln"), .invented("b", "Brass compass", ships: 1),
        ])
        let athome = Feedback(action: .refreshed, rating: nil, reason: RefreshReason.alreadyHaveSimilar.rawValue)
        scene.remember("Glass table lamp", merchant: "Glazier", daysAgo: 20, feedback: [athome])
        #expect(try await scene.run().dropReason(of: "other") == "already_refused")
        scene.note("The lamp fell, she needs one", daysAgo: 5, serves: ["table lamp"], stance: .needs)
        #expect(try await scene.run().dropReason(of: "other") == nil)
    }

    @Test func `that was only shown is not said to have been given`() async throws {
        var scene = Scene([.invented("again", "Copper watering can with brass rose", merchant: "Elsewhere")])
        scene.remember("Copper watering can with brass rose", merchant: "Here")
        #expect(try await scene.run().dropReason(of: "again") == "already_shown")
    }
}

import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What is ruled out by its name stays out; what only looks like it, or like what is disliked, is judged by what it is.
@Suite("What is ruled out") struct RuledOutTests {
    private func run(_ scene: Scene, alike: [[String]] = []) async throws -> EngineRun {
        var ports = scene.ports()
        ports.embedder = WordAxes(alike: alike)
        return try await scene.run(ports: ports)
    }

    private static func scene(_ title: String, description: String? = nil) -> Scene {
        Scene([
            .invented("it", title, description: description), .invented("clock", "Oak mantel clock"),
            .invented("scarf", "Lambswool scarf"), .invented("tray", "Slate serving tray"),
        ])
    }

    @Test(arguments: [
        ("Harbour supper with oysters", "harbour supper", "oysters"),
        ("Dumpling class: leek and coriander", "dumpling class", "coriander"),
    ])
    func `is out by its name, however much else of the offer is wished for`(
        title: String,
        wish: String,
        avoid: String
    ) async throws {
        var scene = Self.scene(title)
        scene.note("That would be a treat", serves: [wish])
        scene.note("None of those", avoid: [avoid], stance: .avoids)
        #expect(try await run(scene).dropReason(of: "it") == "avoided")
    }

    @Test(arguments: [
        ("Rose gold earrings", "rose gold earrings", "roses"), ("Decaf coffee sampler", "decaf coffee", "coffee"),
    ])
    func `stays where the wish itself has that name`(title: String, wish: String, avoid: String) async throws {
        var scene = Self.scene(title)
        scene.note("That would be a treat", serves: [wish])
        scene.note("None of those", avoid: [avoid], stance: .avoids)
        #expect(try await run(scene, alike: [["rose", "roses"]]).dropReason(of: "it") == nil)
    }

    @Test(arguments: [
        ("Red wine case", "wine case", true), ("White wine case", "wine case", false),
        ("Red wine case", "red wine case", false),
    ])
    func `in one sort stays out where a wish names the thing without its sort`(
        title: String,
        wish: String,
        isOut: Bool
    ) async throws {
        var scene = Self.scene(title)
        scene.note("That would be a treat", serves: [wish])
        scene.note("None of those", avoid: ["red wine"], stance: .avoids)
        #expect(try await (run(scene, alike: [["case"]]).dropReason(of: "it") == "avoided") == isOut)
    }

    @Test(arguments: [
        ("Acoustic guitar", "guitar", true), ("Guitar strings", "guitar", false),
        ("Travel guitar", "travel guitar", false),
    ])
    func `as one more of a thing stays out, however much that thing is loved`(
        title: String,
        love: String,
        isOut: Bool
    ) async throws {
        var scene = Self.scene(title)
        scene.note("She loves hers", serves: [love], stance: .likes)
        scene.note("No new one", avoid: ["another guitar"], stance: .avoids)
        #expect(try await (run(scene).dropReason(of: "it") == "avoided") == isOut)
    }

    @Test(arguments: [
        ("Travel", "Enamel travel mug", [["travel"]]), ("Wine", "Wine red drawing supplies", [["wine"]]),
        ("Fashion", "Vase, gallery print", [["vase", "jewelry"]]),
    ])
    func `by an interest is not what only sounds like it or lies near it`(
        interest: String,
        title: String,
        alike: [[String]]
    ) async throws {
        var scene = Self.scene(title)
        scene.dislikes = [interest]
        #expect(try await run(scene, alike: alike).dropReason(of: "it") == nil)
    }

    @Test func `by an interest is what shows it and means it, and the interest is named`() async throws {
        var scene = Self.scene("Hotel voucher")
        scene.dislikes = ["Travel"]
        let run = try await run(scene, alike: [["travel", "hotel"]])
        let removal = run.removal(of: "it")
        #expect(
            removal?.reason == "avoided" && removal?.evidence.contains("Travel") == true,
            "\(removal?.evidence ?? "")"
        )
    }

    @Test func `by a note is out by meaning alone`() async throws {
        var scene = Self.scene("Vase")
        scene.note("No more of those pots", avoid: ["jug"], stance: .avoids)
        #expect(try await run(scene, alike: [["vase", "jug"]]).dropReason(of: "it") == "avoided")
    }

    @Test(arguments: [
        ("Green tea sampler", "black tea", false), ("Black tea sampler", "black tea", true),
        ("Red and white wine case", "white wine", true), ("Red wine case", "white wine", false),
        ("Gold earrings", "silver", false), ("Silver and gold earrings", "silver", true),
        ("Tea sampler", "black tea", true), ("Silver earrings", "gold jewelry", false),
        ("Earrings in a silver box", "gold jewelry", true), ("Merlot wine in a white box", "red wine", true),
        ("Merlot wine, white label", "red wine", true), ("White mug with tea", "black tea", true),
        ("White cotton tea dress", "red dress", false), ("Tea dress in white", "red dress", false),
        ("Tea dress, white", "red dress", false),
    ])
    func `by its colour or metal is no other colour's or metal's`(
        title: String,
        avoid: String,
        isOut: Bool
    ) async throws {
        var scene = Self.scene(title)
        scene.note("None of those", avoid: [avoid], stance: .avoids)
        let alike = [
            ["black", "green", "tea", "mug"], ["white", "red", "wine", "merlot", "dress", "cotton"],
            ["silver", "gold", "earrings", "jewelry"],
        ]
        #expect(try await (run(scene, alike: alike).dropReason(of: "it") == "avoided") == isOut)
    }

    @Test(arguments: [
        ("Guitar stand", false), ("Guitar strap, woven", false), ("Guitar lessons for beginners", false),
        ("Guitar for travellers", true), ("Acoustic guitar starter set", true), ("Guitar case", false),
        ("Guitar pouch set", false), ("Guitar with a case", true), ("Guitar and stand", true),
        ("Repair for a guitar", false),
    ])
    func `since there is one already is no more than another one`(title: String, isOut: Bool) async throws {
        var scene = Self.scene(title)
        scene.note("He has a guitar", avoid: ["another guitar"], stance: .avoids)
        #expect(try await (run(scene).dropReason(of: "it") == "avoided") == isOut)
        scene = Self.scene(title)
        scene.note("He hates guitars", avoid: ["guitar"], stance: .avoids)
        #expect(try await run(scene).dropReason(of: "it") == "avoided")
    }

    @Test(arguments: ["Stays in tune for hours", "Comes with a free online lesson", "Needs no maintenance"])
    func `is the thing that is there already, whatever is said of its care`(description: String) async throws {
        var scene = Self.scene("Acoustic guitar", description: description)
        scene.note("He has a guitar", avoid: ["another guitar"], stance: .avoids)
        #expect(try await run(scene).dropReason(of: "it") == "avoided")
    }

    @Test(arguments: [
        ("Bike helmet", "bike helmet", "bike", false), ("Bike and helmet rental", "helmet", "bike", true),
        ("Bike bell", "bike helmet", "bike", true),
    ])
    func `stays where a wish names it more exactly`(
        title: String,
        wish: String,
        avoid: String,
        isOut: Bool
    ) async throws {
        var scene = Self.scene(title)
        scene.note("None of those", avoid: [avoid], stance: .avoids)
        scene.note("That is needed", serves: [wish], stance: .needs)
        #expect(try await (run(scene).dropReason(of: "it") == "avoided") == isOut)
    }

    @Test(
        arguments: [("snow globe", nil), ("gift set", "disliked"), ("globe trotting", "disliked")]
            as [(String, String?)]
    )
    func `by the meaning of a disliked interest alone is not what a wish names`(
        wish: String,
        reason: String?
    ) async throws {
        var scene = Self.scene("Snow globe")
        scene.dislikes = ["Skiing"]
        scene.note("That would be a treat", serves: [wish])
        let run = try await run(scene, alike: [["skis", "ski", "goggles", "winter", "jacket", "snow", "globe"]])
        #expect(run.dropReason(of: "it") == reason)
    }

    @Test func `because somebody else is to have it is not what is wished for as well, and later`() async throws {
        var scene = Self.scene("Woollen coat")
        scene.note("I need a new coat myself", avoid: ["coat"], stance: .needs, strength: 0, subject: .user)
        #expect(try await run(scene).dropReason(of: "it") == "avoided")
        var later = scene
        later.note("She wants a coat", daysAgo: 5, serves: ["winter coat"])
        #expect(try await run(later).dropReason(of: "it") == nil)
        scene.note("She wants a coat", daysAgo: 15, serves: ["winter coat"])
        #expect(try await run(scene).dropReason(of: "it") == "avoided")
    }
}

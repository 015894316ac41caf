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
}

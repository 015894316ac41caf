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
        ("Travel", "Enamel travel mug", [["travel"]]), ("Wine", "Wine red blanket", [["wine"]]),
        ("Fashion", "Stoneware vase", [["vase", "jewelry", "jewellery"]]),
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

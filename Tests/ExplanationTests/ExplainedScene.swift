import Explanation
import Fixtures
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport

/// A small invented world in which every way out of the running is taken by somebody.
enum ExplainedScene {
    /// Three served hints; `camera` and `lens` are about as good as one another, `kiln` costs too much, `radio` is sold
    /// out, `racket` is disliked, and `socks` serves nothing.
    static func make() -> Scene {
        var scene = Scene([
            .invented("wheel", "Pottery wheel class", type: .experience, price: 9_000, rating: 4.9, reviews: 300),
            .invented("pan", "Cast iron pan", price: 8_000, rating: 4.6, reviews: 120),
            .invented("camera", "Film camera", price: 9_500, rating: 4.6, reviews: 90),
            .invented("lens", "Film camera lens hood", price: 9_000, merchant: "Lens House", rating: 4.9, reviews: 900),
            .invented("kiln", "Pottery wheel class with kiln", price: 90_000, rating: 5, reviews: 500),
            .invented("radio", "Cast iron pan and pottery wheel class", price: 8_500, rating: 5, reviews: 900),
            .invented("racket", "Tennis racket for sports lovers", price: 8_000, tags: ["sports"]),
            .invented("socks", "Plain socks", price: 4_000),
            .invented("lamp", "Plain lamp", price: 90_000),
        ])
        scene.dislikes = ["Sports"]
        scene.note("She keeps saying she would love to try a potter's wheel", serves: ["pottery wheel class"])
        scene.note("His old frying pan is worn through, sadly", daysAgo: 40, serves: ["cast iron pan"])
        scene.note(
            "Talked about her grandfather's Leica all evening",
            daysAgo: 90,
            serves: ["film camera"],
            strength: 0.8
        )
        scene.facts["radio"] = .init(check: .soldOut, checkedPriceCents: nil)
        return scene
    }

    /// A runner of the scene's what-ifs.
    static func runner(_ scene: Scene) throws -> HypothesisRunner {
        HypothesisRunner(plan: try Scene.plan(ShippedPipelines.standard), ports: scene.ports()) {
            RunOptions(deadline: LastResort.limit)
        }
    }
}

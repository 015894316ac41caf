import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport

/// The small world of the failure matrix, and everything that may be shown in it.
enum MatrixWorld {
    static let scene: Scene = {
        let here = Place(city: "Porto", state: nil, country: "PT")
        var scene = Scene([
            .invented("gloves", "Fleece-lined gardening gloves", provider: .amazon, price: 4_500, ships: 2),
            .invented("kneeler", "Folding garden kneeler", provider: .amazon, price: 6_500, ships: 3),
            .invented("twine", "Jute twine set", provider: .shopify, price: 3_500, ships: 4),
            .invented("cups", "Stoneware espresso cups", provider: .shopify, price: 5_500, ships: 2),
            .invented("clay", "Pottery wheel evening", provider: .yelp, type: .date, price: 9_000, location: here),
            .invented(
                "roast",
                "Coffee roasting class",
                provider: .yelp,
                type: .experience,
                price: 8_000,
                location: here
            ),
            .invented(
                "fado",
                "Fado night by the river",
                provider: .ticketmaster,
                type: .date,
                price: 7_000,
                location: here,
                startsAt: "2026-03-10T20:00:00Z"
            ),
            .invented(
                "trams",
                "Old tram museum tour",
                provider: .ticketmaster,
                type: .experience,
                price: 6_000,
                location: here,
                startsAt: "2026-03-08T14:00:00Z"
            ),
            .invented("press", "Flower press", provider: .firecrawl, price: 4_000, ships: 3),
            .invented("roses", "Bouquet of red roses", provider: .firecrawl, price: 5_000, ships: 1),
        ])
        scene.location = here
        scene.likes = ["Gardening", "Coffee"]
        scene.dislikes = ["Gaming"]
        scene.vibes = [.bohemian]
        scene.celebrate("2000-03-14")
        scene.note("Her hands are always cold at the allotment", serves: ["lined gardening gloves"], stance: .needs)
        scene.note("She is so over roses", avoid: ["roses"], stance: .avoids, strength: 0)
        scene.note("She said the coffee place smelled like home", serves: ["coffee roasting class", "espresso cups"])
        scene.remember("Flower press", url: "https://other.example/press")
        return scene
    }()

    /// What a broken provider may answer: items that no decoder would let pass.
    static let nonsense: [Candidate] = [
        .invented("void", "", description: "", url: ""),
        .invented("debt", "Debt", price: -5_000),
        .invented("most", "Everything", price: .max, rating: .infinity, reviews: .max, ships: .max),
        .invented("least", "Nothing", price: .min, rating: -.infinity, reviews: .min, ships: .min),
        .invented("number", "Not a number", rating: .nan, reviews: -1, ships: -1),
        .invented("long", String(repeating: "endless title \u{0} ", count: 64_000)),
        .invented("dawn", "Before time", type: .date, startsAt: "0000-01-01T00:00:00Z"),
        .invented("dusk", "After time", type: .date, startsAt: "9999-12-31T23:59:59Z"),
        .invented("coin", "Unheard-of coin", currency: "XQX"),
    ]

    /// Everything that may be shown, by id.
    static let all: [String: Candidate] = Dictionary(
        (scene.candidates + nonsense).map { ($0.id.text, $0) }
    ) { first, _ in first }

    /// A shipped pipeline changed so that a stalled node is given up after a short time.
    static func plan(_ pipeline: String, _ node: NodeID, _ mishap: Mishap) throws -> Plan {
        guard mishap == .outlivesItsLife else { return try ShippedPipelines.plan(pipeline) }
        let isSource = try ShippedPipelines.plan(pipeline)[node]?.stage.role == .source
        let change: JSONValue = isSource ? ["life": "30ms", "wait": "20ms"] : ["life": "30ms"]
        return try Scene.plan(
            pipeline,
            patch: ["nodes": .object(JSONObject([.init(name: node.text, value: change)]))]
        )
    }

    /// How long a run may take: short where a call is to outlive it.
    static func options(_ mishap: Mishap, within short: Duration = .milliseconds(80)) -> RunOptions {
        RunOptions(deadline: mishap == .outlivesTheRun ? short : LastResort.limit)
    }
}

extension Plan {
    /// Whether a run cannot do without a node: it is required, or too few others feed what it feeds.
    func cannotSpare(_ node: NodeID) -> Bool {
        guard let own = self[node], own.isTolerated else { return true }
        return nodes.contains { consumer in
            consumer.feeds.contains { $0.nodes.contains(own.index) && $0.nodes.count - 1 < $0.minimum }
                && !consumer.isTolerated
        }
    }
}

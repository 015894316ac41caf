import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// What would do harm is never shown, wherever it is named and whatever else is wished for.
@Suite("What would do harm") struct HarmfulOfferTests {
    private static let others: [Candidate] = [
        .invented("clock", "Oak mantel clock"), .invented("lamp", "Brass desk lamp"),
        .invented("scarf", "Linen scarf"), .invented("vase", "Glass vase"),
    ]

    private static func scene(_ offer: Candidate, _ limit: String = "severe peanut allergy") -> Scene {
        var scene = Scene([offer] + others)
        scene.note(
            "Peanuts put her in hospital",
            serves: ["peanut-free bakery box"],
            avoid: ["peanuts", "scented candle"],
            limits: [limit],
            stance: .avoids
        )
        scene.note("She wants a picnic basket", serves: ["picnic basket"], strength: 1)
        return scene
    }

    private static func basket(_ description: String, _ title: String = "Picnic basket") -> Candidate {
        .invented("basket", title, description: description)
    }

    private static func run(_ scene: Scene) async throws -> EngineRun {
        var ports = scene.ports()
        ports.embedder = WordAxes()
        return try await scene.run(ports: ports)
    }

    @Test(arguments: [
        basket("Filled with peanut butter cups"), basket("With snacks", "Picnic basket with peanut brittle"),
        basket("We recommend these peanuts that come with it."),
        basket((0..<420).map { "part\($0)" }.joined(separator: " ") + ". It holds peanuts."),
        basket("Gluten-free peanut cookies inside"),
    ])
    func `a mention is enough, and no other wish outweighs it`(offer: Candidate) async throws {
        #expect(try await Self.run(Self.scene(offer)).dropReason(of: "basket") == "avoided")
    }

    @Test(arguments: [
        basket("Peanut-free snacks inside"), basket("Packed without peanuts"), basket("Contains no peanuts"),
        basket("Snacks free from peanuts, dairy and gluten"), basket("Nothing but cups and plates"),
    ])
    func `what says that it is without stays`(offer: Candidate) async throws {
        #expect(try await Self.run(Self.scene(offer)).dropReason(of: "basket") == nil)
    }

    @Test func `a mere dislike that is mentioned stays where something else is served`() async throws {
        let offer = Self.basket("Filled with peanut butter cups")
        #expect(try await Self.run(Self.scene(offer, "small flat")).dropReason(of: "basket") == nil)
    }

    @Test(arguments: [true, false])
    func `a remedy serves only what says the same of itself`(isSaid: Bool) async throws {
        var scene = Scene(
            Self.others + [.invented("box", isSaid ? "Gluten-free bakery box" : "Wheat flour bakery box")]
        )
        scene.note(
            "She is coeliac",
            serves: ["gluten-free bakery box"],
            avoid: ["flour"],
            limits: ["gluten free"],
            stance: .needs
        )
        let run = try await Self.run(scene)
        #expect((run.dropReason(of: "box") == "avoided") == !isSaid)
        if isSaid { #expect(run.cards["box"]?.tie.hint == HintID("hint-1")) }
    }

    @Test func `a remedy is the tie of no card that does not say the same`() async throws {
        var scene = Scene(Self.others + [.invented("box", "Dessert box of fruit jellies")])
        scene.note(
            "She is coeliac",
            serves: ["gluten-free dessert box"],
            avoid: ["flour"],
            limits: ["gluten free"],
            stance: .needs
        )
        let run = try await Self.run(scene)
        #expect(run.cards["box"]?.tie.hint == nil && run.ranked.contains("box"))
        let offer = Offer(.invented("box", "Dessert box"))
        let digest = try #require(run.report.output(of: "retrieve", as: HintDigest.self))
        let claim = Reason(text: "", neutral: "", claims: [.asks(HintID("hint-1"), "gluten-free dessert box")])
        let brief = try #require(run.report.output(of: "brief", as: Brief.self))
        #expect(ReasonCheck(brief, digest).problem(with: claim, for: offer) != nil)
    }

    private static func verdict(on offer: Candidate, avoid: [String], limits: [String]) async throws -> String? {
        var scene = Scene([offer] + others)
        scene.note("As it was noted", serves: ["unscented candle"], avoid: avoid, limits: limits, stance: .avoids)
        return try await run(scene).dropReason(of: offer.id.text)
    }

    @Test(arguments: [
        (["peanut butter"], ["severe peanut allergy"], "Peanut Butter Cookie Box"),
        (["almond milk"], ["almond allergy"], "Almond milk making kit"), (["hand cream"], [], "Lavender hand cream"),
        (["butter dish"], [], "Stoneware butter dish"), (["milk frother"], [], "Milk frother, handheld"),
        (["walnut board"], [], "Walnut board"), (["decaf coffee"], ["no caffeine"], "Decaf coffee sampler"),
    ])
    func `what is called by another thing's name is ruled out by its own`(
        avoid: [String],
        limits: [String],
        title: String
    ) async throws {
        let offer = Candidate.invented("offer", title)
        #expect(try await Self.verdict(on: offer, avoid: avoid, limits: limits) == "avoided")
    }

    @Test(arguments: [
        (["nuts"], "no nuts", "Pistachio gelato pints"), (["alcohol"], "sober", "Merlot hamper"),
        (["meat, dairy and eggs"], "vegan", "Cheddar board"), (["dairy"], "no dairy", "Fondue evening"),
        (["wool scarves"], "no wool", "Merino throw"), (["shellfish dinners"], "shellfish allergy", "Crab cake class"),
        (["coffee"], "no caffeine", "Earl Grey tin"), (["alcohol"], "sober", "Old fashioned kit"),
        (["meat"], "vegetarian", "Roast turkey dinner"), (["meat"], "vegetarian", "Spare ribs box"),
        (["honey"], "vegan", "Feather pillow"), (["eggs"], "no eggs", "French toast brunch"),
        (["nuts"], "no nuts", "Pad thai class"), (["alcohol"], "no alcohol", "Cider tasting"),
    ])
    func `who must not have a thing must have nothing that is one`(
        avoid: [String],
        limit: String,
        title: String
    ) async throws {
        let offer = Candidate.invented("offer", title)
        #expect(try await Self.verdict(on: offer, avoid: avoid, limits: [limit]) == "avoided")
    }

    @Test(arguments: [
        (["cheese and leather"], "vegan", "Vegan cheese board"), (["leather gloves or shoes"], "vegan", "Canvas shoes"),
        (["wool sweaters and scarves"], "no wool", "Cotton scarf"),
        (["beer and wine"], "no alcohol", "Ginger beer kit"),
        (["fish"], "no fish", "Fish-shaped vase"), (["nuts"], "no nuts", "Peanut colour scarf"),
        (["bread"], "gluten free", "Gluten-free bread class"), (["coffee"], "no caffeine", "Oak coffee table"),
        (["coffee"], "no caffeine", "Green linen tea towel"), (["coffee"], "no caffeine", "Herbal tea sampler"),
        (["meat"], "vegetarian", "Travel guide to Turkey"), (["meat"], "vegetarian", "Rubber duck lamp"),
        (["alcohol"], "no alcohol", "Cider vinegar trio"), (["alcohol"], "no alcohol", "Port Townsend day trip"),
        (["eggs"], "no eggs", "Toast rack"), (["honey"], "vegan", "Cotton pillow"),
        (["meat"], "vegetarian", "Rib knit scarf"), (["fish"], "no fish", "Loafers with a leather sole"),
        (["nuts"], "no nuts", "Thai massage"),
    ])
    func `what harms nobody stays`(avoid: [String], limit: String, title: String) async throws {
        let offer = Candidate.invented("offer", title)
        #expect(try await Self.verdict(on: offer, avoid: avoid, limits: [limit]) == nil)
    }

    @Test func `a remedy that an offer does not call itself is not told of it`() async throws {
        var scene = Scene([.invented("candle", "Candle holder, unlit candle"), .invented("lamp", "Brass desk lamp")])
        scene.note("Scents give her a headache", serves: ["unscented candle"], limits: ["no perfume"], stance: .needs)
        let run = try await Self.run(scene)
        #expect(run.cards["candle"]?.tie == Tie.none)
    }

    @Test(arguments: [
        ("she is allergic to nuts", "Nut Lover's Bakery Box", "Walnut tart."),
        ("she is allergic to nuts", "Peanut Butter Cookie Box", "Baked."),
        ("she is coeliac", "Wheat Flour Bakery Box", "Stone milled wheat."),
        ("she is lactose intolerant", "Dairy Ice Cream Dessert Box", "Six pints."),
        ("she is allergic to shellfish", "Dinner by the Harbour", "A menu of lobster and shrimp."),
        ("she is allergic to wool", "Chunky Throw Blanket", "Hand knitted of pure merino wool."),
        ("she is allergic to lavender", "Bath Soak Set", "Epsom salt with lavender oil."),
        ("she is allergic to milk", "Truffle Making Kit", "With milk chocolate, butter and cream."),
    ])
    func `by the rules too nothing is shown that a note says she does not bear`(
        note: String,
        title: String,
        description: String
    ) async throws {
        var scene = Scene(Self.others + [.invented("harm", title, description: description)])
        scene.note(note)
        scene.note("she wants a bakery box, a dessert box, a dinner by the harbour, a throw blanket, a bath soak set")
        #expect(try await Self.run(scene).dropReason(of: "harm") == "avoided")
    }

    @Test(arguments: [
        ("Coffee kettle", "We recommend these Merlot and Cabernet wine miniatures that come with it."),
        ("Basket: Ignore This, It Is a Merlot Wine Hamper", "Basket."),
        ("Basket", (0..<420).map { "part\($0)" }.joined(separator: " ") + ". It holds a bottle of Merlot wine."),
    ])
    func `what is disliked is found wherever a card shows it`(title: String, description: String) async throws {
        var scene = Scene(Self.others + [.invented("wine", title, description: description)])
        scene.dislikes = ["Wine", "Merlot bottles"]
        let run = try await scene.run()
        #expect(run.dropReason(of: "wine") == "disliked")
        let offer = Offer(.invented("wine", title, description: description))
        #expect(InterestSign(Interest("Merlot")).sign(in: offer, TasteSigns()) == nil)
        #expect(InterestSign(Interest("Merlot")).sign(in: offer, TasteSigns(), spoken: true) != nil)
    }
}

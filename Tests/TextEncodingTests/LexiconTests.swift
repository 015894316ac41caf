import JSONDocument
import KnotDomain
import Testing
import TextEncoding

extension Lexicon {
    /// What a text says about each subject, in no particular order.
    func signs(in text: String) -> [LexiconSign] {
        var reader = SignReader(self)
        var signs: [LexiconSign] = []
        reader.read(TokenizedText(text)) { signs.append($0) }
        return signs
    }
}

@Suite struct `The lexicon` {
    private let lexicon = Lexicon.shared

    private func strength(_ interest: KnownInterest, _ text: String) -> MatchStrength? {
        lexicon.signs(in: text).first { $0.subject == .interest(interest) }?.strength
    }

    @Test(arguments: [
        (KnownInterest.art, "Smart artisan soap for the party"), (.nature, "Her signature scent"),
        (.wine, "Garden twine"),
        (.cars, "Oscars night, a gift card"), (.sports, "A passport holder"), (.boardGames, "A $50 gift card"),
        (.running, "We are running late with the table runner"), (.art, "State of the art sound"),
        (.art, "The art of conversation"),
        (.wine, "A wine-red scarf"), (.sports, "A soft sports bra"), (.sports, "A race against time"),
        (.coffee, "Oak coffee table"),
        (.gaming, "A walnut console table"), (.gaming, "Board game night"), (.photography, "A security camera"),
        (.music, "A photo album with a ribbon"), (.pets, "Hot dog stand"), (.cars, "A cable car ride"),
        (.running, "10k gold ring"),
        (.shopping, "The corner coffee shop"), (.technology, "Promo code inside"),
        (.movies, "A roll of film for her camera film"),
        (.gardening, "Tickets at Madison Square Garden"), (.skiing, "Jet ski rental"),
        (.surfing, "Surf and turf dinner"),
        (.beach, "Hamilton Beach blender"), (.theater, "Home theater sound"), (.travel, "An insulated travel mug"),
        (.pets, "Chewy chocolate cookies"), (.art, "Love letter kit"), (.painting, "Acrylic nails"),
        (.diy, "Craft beer flight"),
        (.dancing, "Tomato salsa recipe"), (.dancing, "Leather ballet flats"), (.meditation, "Vegan buddha bowl"),
        (.reading, "Book now, read more on our page"), (.boardGames, "A checkered shirt"),
        (.cooking, "Dinner by a local chef"), (.swimming, "Pool table rental"), (.fashion, "Salad dressing"),
    ])
    func `rejects nothing for words that only look alike`(interest: KnownInterest, text: String) {
        #expect(strength(interest, text) != .strong)
    }

    @Test(arguments: [
        (KnownInterest.gaming, "PlayStation 5 controller"), (.gaming, "Nintendo Switch"),
        (.gaming, "An esports arena, XBOX lounge"),
        (.wine, "An evening with a sommelier"), (.wine, "A bottle of Barolo"), (.wine, "Vineyards at dusk"),
        (.hiking, "Meet at the trailhead"), (.hiking, "Trekking poles"), (.art, "A small kiln"),
        (.art, "Watercolour set"),
        (.painting, "Paint-and-sip evening"), (.diy, "A cordless drill"), (.baking, "Sourdough starter"),
        (.karaoke, "Noraebang room"),
        (.boardGames, "Settlers of Catan"), (.coffee, "Gooseneck kettle, V60"), (.podcasts, "Live podcast taping"),
        (.cars, "A go-kart racing track"), (.pets, "Dogs' raincoat"), (.camping, "Four-person tents"),
        (.cycling, "Bike repairs"),
        (.skiing, "Skis and bindings"), (.yoga, "Vinyasa flow"), (.museums, "The Guggenheim"),
        (.concerts, "Live music tonight"),
    ])
    func `knows what belongs to an interest`(interest: KnownInterest, text: String) {
        #expect(strength(interest, text) == .strong)
    }

    @Test func `silences only what lies inside a look-alike`() {
        #expect(strength(.art, "State of the art gallery") == .strong)
        #expect(strength(.art, "State of the art oven") == nil)
    }

    @Test func `names the strongest and longest phrase`() throws {
        let signs = lexicon.signs(in: "Grape, wine, and a natural wine tasting")
        let wine = try #require(signs.first { $0.subject == .interest(.wine) })
        #expect(wine.strength == .strong)
        #expect(["natural wine", "wine tasting"].contains(wine.phrase))
    }

    @Test func `lists each subject once`() {
        let signs = lexicon.signs(in: "Massage for two, vintage wine bar, handmade silk robe, jazz music and hiking")
        #expect(Set(signs.map(\.number)).count == signs.count)
        let subjects = Set(signs.map(\.subject))
        #expect(
            subjects.isSuperset(of: [
                .loveLanguage(.physicalTouch), .loveLanguage(.qualityTime), .vibe(.quietLuxury), .interest(.hiking),
            ])
        )
    }

    @Test(arguments: ["", "🎁", "…", "\u{0}"]) func `finds nothing in an empty text`(text: String) {
        #expect(lexicon.signs(in: text).isEmpty)
    }

    @Test func `reports every problem of a broken file at once`() {
        let json =
            #"{"format":"x","interests":{"Art":{"strong":["🎁",3],"odd":[]},"Tea":{}},"vibes":[],"love_languages":{}}"#
        #expect(throws: LexiconError.self) { try Lexicon(json: Array("[".utf8)) }
        let error = #expect(throws: LexiconError.self) { try Lexicon(json: Array(json.utf8)) }
        let paths = Set(error?.problems.map(\.path) ?? [])
        #expect(
            paths.isSuperset(of: [
                "$.format", "$.interests.Art.strong[0]", "$.interests.Art.strong[1]", "$.interests.Art.odd",
            ])
        )
        #expect(paths.contains("$.interests.Tea"))
        #expect(paths.contains("$.interests.Travel"))
    }
}

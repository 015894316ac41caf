import JSONDocument
import KnotDomain
import Testing
import TextEncoding

@Suite struct `The lexicon` {
    private let lexicon = Lexicon.shared

    private func strength(_ interest: KnownInterest, _ text: String) -> MatchStrength? {
        lexicon.interests(in: TokenizedText(text)).first { $0.interest == interest }?.strength
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

    @Test func `names the strongest and longest phrase and counts the rest`() throws {
        let matches = lexicon.interests(in: TokenizedText("Grape, wine, and a natural wine tasting"))
        let wine = try #require(matches.first { $0.interest == .wine })
        #expect(wine.strength == .strong)
        #expect(["natural wine", "wine tasting"].contains(wine.phrase))
        #expect(wine.phraseCount >= 4)
        #expect(wine.range.count == 2)
    }

    @Test func `lists each subject once, in its declared order`() {
        let text = TokenizedText("Massage for two, vintage wine bar, handmade silk robe, jazz music and hiking")
        let found = lexicon.matches(in: text)
        let order = KnownInterest.allCases
        let places = found.interests.compactMap { order.firstIndex(of: $0.subject) }
        #expect(places == Array(Set(places)).sorted())
        #expect(found.loveLanguages.map(\.subject).contains(.physicalTouch))
        #expect(found.loveLanguages.map(\.subject).contains(.qualityTime))
        #expect(lexicon.vibes(in: text).map(\.subject).contains(.quietLuxury))
        #expect(lexicon.loveLanguages(in: text) == found.loveLanguages)
    }

    @Test(arguments: ["", "🎁", "…", "\u{0}"]) func `finds nothing in an empty text`(text: String) {
        let found = lexicon.matches(in: TokenizedText(text))
        #expect(found.interests.isEmpty && found.vibes.isEmpty && found.loveLanguages.isEmpty)
    }

    @Test func `matches the user's own words by their stems`() {
        let falconry = Interest("Falconry lessons")
        #expect(lexicon.match(falconry, in: TokenizedText("A falconry lesson at dawn"))?.strength == .strong)
        #expect(lexicon.match(falconry, in: TokenizedText("Lesson in falconry"))?.strength == .strong)
        #expect(lexicon.match(falconry, in: TokenizedText("Guitar lesson")) == nil)
        #expect(lexicon.matches(freeText: "🎁", in: TokenizedText("gift")) == nil)
    }

    @Test func `supports a kindred thing for free text and never rejects for it`() {
        let text = TokenizedText("PlayStation voucher")
        #expect(lexicon.match(Interest("video games"), in: text)?.strength == .weak)
        #expect(lexicon.match(Interest("Barolo"), in: TokenizedText("A Riesling"))?.strength == .weak)
        #expect(lexicon.match(Interest("gaming"), in: text)?.strength == .strong)
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

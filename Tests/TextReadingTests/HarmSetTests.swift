import Testing
import TextEncoding

@testable import TextReading

/// What is one of a harm, and what only sounds like it.
@Suite("Harms and what is one of them") struct HarmSetTests {
    private static func offer(_ title: String, _ body: String = "", tags: String = "") -> SpokenWords {
        SpokenWords(
            CleanedText.Fields(title: TokenizedText(title), body: TokenizedText(body), tags: TokenizedText(tags))
        )
    }

    private static func things(_ phrase: String) -> [AvoidPhrase] {
        var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
        return AvoidPhrase.alternatives(phrase, by: &reader)
    }

    private static func stem(_ word: String) -> UInt64 { TokenizedText(word).words[0].stem }

    @Test(arguments: TableText.harms.names)
    func `each harm has a sentence that names it`(name: String) {
        let sentences = TableText.harms.entries(name).flatMap(TableText.harms.sentences)
        #expect(!sentences.isEmpty, "[\(name)] has no sentence: put one below it, indented")
        for sentence in sentences { #expect(!HarmSet(limits: [sentence]).isEmpty, "\(sentence)") }
    }

    @Test(arguments: TableText.harms.names)
    func `a list of kinds is read to its end`(name: String) throws {
        let entry = try #require(TableText.harms.entries(name).first)
        for harm in HarmSet(limits: [entry.text]).each {
            var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
            let things = AvoidPhrase.alternatives(harm.kinds, by: &reader)
            #expect(things.count == harm.kinds.split(separator: ",").count)
        }
    }

    @Test(arguments: [("no nuts", "praline"), ("strictly vegan", "cheese"), ("sober", "merlot"), ("coeliac", "seitan")])
    func `a whole harm has all that is one of it`(limit: String, kind: String) {
        #expect(HarmSet(limits: [limit]).words(among: [Self.stem(kind)]).count == 1)
    }

    @Test(arguments: [
        ("no nuts", "Pesto Amaretto dukkah granola Toblerone"),
        ("peanut allergy", "satay groundnuts gadogado massaman"),
        ("no dairy", "Gouda Gruyère panna stilton roquefort pecorino leche leches cannoli lassi clotted kulfi"),
        ("gluten free", "ravioli dumplings ciabatta naan tortillas pretzels scones matzah"),
        ("vegetarian", "pepperoni pastrami kebab foie gelatine biltong"),
        ("no fish", "monkfish swordfish eel ceviche lox furikake Worcestershire"),
        ("shellfish allergy", "scampi ceviche jambalaya cioppino clambake bisque conch whelks moules"),
        ("no eggs", "brulée challah brownies Caesar marshmallows zabaglione"),
        ("sesame allergy", "bagel za’atar zaatar za'atar dukkah ganoush furikake"),
        ("soy allergy", "hoisin ramen gyoza ponzu gochujang"), ("no mustard", "Dijon piccalilli vinaigrette"),
        ("no alcohol", "limoncello sangria Aperol grappa Sauvignon mixology"),
        ("no caffeine", "mocha macchiato oolong sencha"),
        ("halal", "pepperoni gammon jamón marshmallows lager"),
        ("kosher", "chorizo scampi"), ("no wool", "pashmina shearling lanolin"),
        ("vegan", "suede beeswax alpaca Gouda"),
        ("no perfume", "aftershave patchouli"),
        ("no alcohol", "cider spritz"), ("vegetarian", "quail merguez gyros gummies"), ("no fish", "niçoise"),
        ("strawberry allergy", "strawberries"), ("celery allergy", "celeriac"),
    ])
    func `everyday words for one of it are known, with accents and without`(limit: String, kinds: String) {
        let stems = TokenizedText(kinds).contentFingerprints
        #expect(HarmSet(limits: [limit]).words(among: stems).count == stems.count, "\(limit): \(kinds)")
    }

    @Test(arguments: [
        ("vegetarian", "black pudding", "pudding"), ("vegetarian", "pork ribs", "ribs"),
        ("vegetarian", "roast turkey", "turkey"), ("vegan", "feather pillow", "pillow"),
        ("no fish", "dover sole", "sole"),
        ("no fish", "poke bowl", "bowl"), ("no eggs", "french toast", "toast"), ("peanut allergy", "pad thai", "thai"),
        ("no alcohol", "old fashioned", "fashioned"), ("no caffeine", "earl grey", "grey"),
        ("no caffeine", "black tea", "tea"),
    ])
    func `what is one of it only as a whole is known as a whole`(limit: String, kind: String, word: String) throws {
        let harms = HarmSet(limits: [limit])
        #expect(harms.kinds.split(separator: ", ").contains { $0 == kind })
        #expect(!harms.kinds.contains("_") && harms.words(among: [Self.stem(word)]).isEmpty)
    }

    @Test(arguments: [
        ("no alcohol", "cider", offer("Cider vinegar trio")), ("no alcohol", "spritz", offer("Linen spritz, lavender")),
    ])
    func `another thing of that name harms nobody`(limit: String, word: String, offer: SpokenWords) {
        #expect(HarmSet(limits: [limit]).areMereWords(in: offer))
    }

    @Test func `what is ruled out names a harm where nothing stands beside it`() {
        #expect(!HarmSet(limits: [], avoiding: Self.things("meat, dairy and eggs")).isEmpty)
        #expect(HarmSet(limits: [], avoiding: Self.things("nut butter") + Self.things("scented candle")).isEmpty)
    }

    @Test func `what alone is allowed harms nobody`() {
        #expect(HarmSet(limits: ["fish and vegetables only"]).isEmpty)
        #expect(!HarmSet(limits: ["alcohol-free only"]).isEmpty && !HarmSet(limits: ["vegan food only"]).isEmpty)
    }

    @Test func `one kind alone is not the whole`() {
        #expect(HarmSet(limits: ["almond allergy"]).isEmpty)
        #expect(HarmSet(limits: ["severe peanut allergy"]).words(among: [Self.stem("walnut")]).isEmpty)
    }

    @Test(arguments: [
        ("vegan", offer("Vegan cheese board")), ("vegan", offer("Leather-look tote", tags: "vegan")),
        ("no dairy", offer("Dairy-free ice cream tub")), ("gluten free", offer("Gluten-free sourdough class")),
        ("no alcohol", offer("Non-alcoholic cocktail kit")), ("no alcohol", offer("Mocktail class")),
        ("no caffeine", offer("Decaf coffee sampler")), ("no eggs", offer("Vegan cake box")),
    ])
    func `what is called fit is none of it`(limit: String, offer: SpokenWords) {
        #expect(HarmSet(limits: [limit]).areLacked(by: offer))
    }

    @Test(arguments: [
        ("vegan", offer("Cheese board")), ("vegan", offer("Steakhouse dinner", tags: "vegan options")),
        ("vegan", offer("Cheese board, not vegan")),
        ("gluten free", offer("Bread subscription", "Gluten-free crackers")),
        ("nut and dairy allergy", offer("Nut-free cheesecake")), ("no alcohol", offer("Wine tasting")),
    ])
    func `what is not called so is one of it`(limit: String, offer: SpokenWords) {
        #expect(!HarmSet(limits: [limit]).areLacked(by: offer))
    }

    @Test(arguments: [
        ("no nuts", "peanut", offer("Peanut colour linen scarf")),
        ("no nuts", "walnut", offer("Record player, walnut")),
        ("no nuts", "walnut", offer("Desk lamp", "Its foot is of walnut.")),
        ("no nuts", "peanuts", offer("Peanuts comic of 1962")), ("no eggs", "egg", offer("Egg chair in felt")),
        ("shellfish allergy", "lobster", offer("Lobster silk tie")), ("no dairy", "latte", offer("Latte mug")),
        ("strawberry allergy", "strawberry", offer("Strawberry print dress")),
        ("no dairy", "cheese", offer("Cheese knife")),
    ])
    func `a thing nobody eats has a food for its look or its name`(limit: String, word: String, offer: SpokenWords) {
        #expect(HarmSet(limits: [limit]).isMereLook(Self.stem(word), of: offer))
    }

    @Test(arguments: [
        ("no nuts", "almond", offer("Almond biscuits")), ("no nuts", "almond", offer("Linen scarf", "With almonds.")),
        ("no nuts", "walnut", offer("Cheese knife", "With a bag of walnuts.")),
        ("no nuts", "praline", offer("Praline and scarf")), ("no nuts", "walnut", offer("Walnut cake and apron")),
        ("vegan", "leather", offer("Leather wallet")), ("no wool", "wool", offer("Wool scarf")),
        ("no caffeine", "coffee", offer("Coffee grater")),
        ("peanut allergy", "peanut", offer("Peanut butter cups")),
        ("no dairy", "latte", offer("Latte mug", "With a sachet of latte.")),
        ("strawberry allergy", "strawberry", offer("Chocolate dipped strawberries")),
    ])
    func `what is eaten with it, or is made of it, harms`(limit: String, word: String, offer: SpokenWords) {
        #expect(!HarmSet(limits: [limit]).isMereLook(Self.stem(word), of: offer))
    }

    @Test(arguments: [
        ("no fish", offer("Goldfish brooch"), true), ("no dairy", offer("Buttercup print"), true),
        ("soy allergy", offer("Soy candle"), true), ("sesame allergy", offer("Sesame Street mug"), true),
        ("no eggs", offer("Egg cups, set of two"), true), ("no eggs", offer("Glass cake stand"), true),
        ("no fish", offer("Goldfish food"), false), ("no fish", offer("Brooch", "With a box of sushi."), false),
        ("no wool", offer("Llama scarf"), false), ("no dairy", offer("Buttercup squash soup"), false),
    ])
    func `a thing nobody eats is near no food`(limit: String, offer: SpokenWords, isSpared: Bool) {
        #expect(HarmSet(limits: [limit]).areMereWords(in: offer) == isSpared)
    }
}

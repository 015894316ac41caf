import Testing
import TextEncoding

@testable import TextReading

/// What a text says a thing is without, and what stands there all the same.
@Suite struct StatedAbsenceTests {
    private static func stem(_ word: String) -> UInt64 { TokenizedText(word).words[0].stem }

    @Test(arguments: [
        ("Peanut-free cookie box", "peanut"), ("Nut free granola", "nuts"), ("Baked without nuts", "nut"),
        ("Contains no dairy.", "dairy"), ("No traces of tree nuts", "nut"), ("Free of gluten", "gluten"),
        ("Free from nuts, dairy and gluten.", "dairy"), ("Free from nuts, dairy and gluten.", "gluten"),
        ("Made without eggs, nuts or milk", "nut"), ("Made without eggs, nuts or milk", "milk"),
        ("Nut and gluten-free brownies", "nut"), ("It does not contain any wool", "wool"),
        ("Not made with latex", "latex"), ("Wine not included.", "wine"), ("A non-dairy whip", "dairy"),
        ("Oats instead of wheat", "wheat"), ("An alternative to wool", "wool"), ("Zero alcohol", "alcohol"),
        ("Our kitchen uses no peanuts, ever", "peanut"), ("It never contains shellfish", "shellfish"),
    ])
    func `what is said to be absent is lacked and absent`(text: String, word: String) {
        let absence = StatedAbsence(in: TokenizedText(text))
        #expect(absence.lacked.contains(Self.stem(word)))
        #expect(absence.absent.contains(Self.stem(word)))
    }

    @Test(arguments: [
        ("Peanut brittle", "peanut"), ("Gluten-free peanut butter", "peanut"),
        ("Peanuts free with every order", "peanut"),
        ("Get your peanuts free!", "peanut"), ("Roasted nuts, free delivery", "nut"), ("Wine free of charge", "wine"),
        ("Cheese and gluten-free crackers", "cheese"), ("No gluten, roasted almonds", "almond"),
        ("No sugar and real milk", "milk"), ("Made with peanuts, gluten and dairy free", "peanut"),
        ("Not suitable for people with a nut allergy", "nut"), ("Cannot be guaranteed to be nut-free", "nut"),
        ("May contain nuts", "nut"), ("No one can resist our peanuts", "peanut"), ("No dairy almond milk", "almond"),
        ("Without doubt the best peanuts", "peanut"), ("Nut-free kitchen. Now with nuts!", "nut"),
        ("Nuts, no less", "nut"), ("Free: peanuts", "peanut"), ("No. 1 peanut butter", "peanut"),
        ("Cookies shaped like hearts", "cookie"), ("Pasta shaped by hand", "pasta"),
        ("Almond biscuit, heart shaped", "almond"),
    ])
    func `what is there, or may be, is not absent`(text: String, word: String) {
        #expect(!StatedAbsence(in: TokenizedText(text)).absent.contains(Self.stem(word)))
    }

    @Test(arguments: [
        ("A picnic, meat-free on request", "meat"), ("Dairy-free options available", "dairy"),
        ("Shea butter", "butter"),
        ("A rich hand cream", "cream"), ("An oat milk latte", "milk"), ("A knife with a walnut handle", "walnut"),
        ("Cream linen", "cream"), ("A fish-shaped vase", "fish"), ("An oyster coloured blouse", "oyster"),
        ("Ginger beer kit", "beer"), ("An oak coffee table", "coffee"), ("Coconut cream", "cream"),
        ("Faux leather tote", "leather"), ("A bag of caramel leather", "caramel"), ("Soy wax candle", "soy"),
        ("Bisque doll", "bisque"), ("Waffle knit throw", "waffle"), ("A scallop edge tray", "scallop"),
    ])
    func `what may be left out, and another thing of that name, is neither`(text: String, word: String) {
        let absence = StatedAbsence(in: TokenizedText(text))
        #expect(!absence.lacked.contains(Self.stem(word)))
        #expect(absence.absent.contains(Self.stem(word)))
    }

    @Test func `another thing of that name is not denied`() {
        let absence = StatedAbsence(in: TokenizedText("Shea butter, made without nuts"))
        #expect(!absence.denied.contains(Self.stem("butter")) && absence.denied.contains(Self.stem("nut")))
    }

    @Test func `a remedy is one of what says the same of itself`() throws {
        let box = try #require(RemedyCondition(TokenizedText("nut-free bakery box")))
        let vegan = try #require(RemedyCondition(TokenizedText("vegan hamper")))
        #expect(RemedyCondition(TokenizedText("bakery box")) == nil)
        func words(_ title: String, _ body: String = "") -> SpokenWords {
            SpokenWords(CleanedText.Fields(title: TokenizedText(title), body: TokenizedText(body), tags: .none))
        }
        #expect(box.isMet(by: words("Cookie box", "Baked without nuts")))
        #expect(!box.isMet(by: words("Cookie box", "Baked without nuts"), byNameAlone: true))
        #expect(box.isMet(by: words("Nut-free cookie box"), byNameAlone: true))
        #expect(!box.isMet(by: words("Nut bakery box")) && !box.isMet(by: words("Bakery box")))
        #expect(vegan.isMet(by: words("Vegan cheese board")) && !vegan.isMet(by: words("Cheese board")))
    }

    @Test(arguments: [
        "severe peanut allergy", "no nuts", "gluten free", "no dairy", "Lavender allergy", "no wool", "vegan",
        "no alcohol", "fear of heights", "arachnophobia", "teetotal", "no mustard", "soya allergy",
    ])
    func `a limit of what somebody bears is strict`(limit: String) { #expect(StrictLimits.has(limit)) }

    @Test(arguments: [
        "bad knees", "no crowds", "free 7-13 September only", "a tiny flat", "grieving, fishing is painful",
    ])
    func `any other limit is not`(limit: String) { #expect(!StrictLimits.has(limit)) }
}

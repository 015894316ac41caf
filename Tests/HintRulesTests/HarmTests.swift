import KnotDomain
import Testing

@testable import HintRules

/// What a body does not bear, told as what happened.
@Suite struct HarmTests {
    private let reading = ReadingCase()

    @Test(arguments: [
        RefusedLine(text: "a plate of prawns and we spent the night in A&E", refused: "lobster"),
        RefusedLine(text: "satay at the wedding, ambulance, adrenaline, the lot", refused: "pecan"),
        RefusedLine(text: "anything with milk and she is doubled over", refused: "cheese"),
        RefusedLine(text: "Eggs make his lips swell", refused: "meringue"),
        RefusedLine(text: "sesame gives her hives", refused: "hummus"),
        RefusedLine(text: "mustard brings her out in hives", refused: "mustard"),
        RefusedLine(text: "one bowl of soy and his throat swells", refused: "tofu"),
        RefusedLine(text: "latex gloves: hives up to the elbow", refused: "balloons"),
    ])
    func `harm done by a food stands for its refusal`(_ line: RefusedLine) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.refused), "\(hint)")
        #expect(hint.stance == .avoids)
    }

    @Test(arguments: ["she makes prawns on sundays", "milk is all the calf drinks", "his egg cups are chipped"])
    func `a food without harm is no condition`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.avoid.isEmpty)
    }

    @Test func `what no table knows may harm all the same, and is a limit`() throws {
        let hint = try #require(reading.read("she is allergic to lavender"))
        #expect(hint.avoid.first == "lavender" && hint.limits == ["lavender allergy"])
        let joke = try #require(reading.read("she hates lavender"))
        #expect(joke.limits.isEmpty)
    }

    @Test func `what no table knows and did harm to a body is a limit`() throws {
        #expect(try #require(reading.read("kiwi gives her hives")).limits == ["kiwi allergy"])
        #expect(try #require(reading.read("spreadsheets make her sick")).limits.isEmpty)
    }

    @Test(arguments: [
        "a kiwi allergy", "she has a severe kiwi allergy", "kiwi allergy!", "kiwi intolerance, a bad one",
    ])
    func `a thing named before its allergy is a limit too`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.avoid.contains("kiwi") && hint.limits == ["kiwi allergy"], "\(hint)")
    }

    @Test(arguments: [
        ("she is allergic to shellfish, wool and mango", ["shellfish", "wool", "mango"]),
        ("allergic to nuts, dairy and strawberries", ["nuts", "dairy", "strawberries"]),
        ("no candles, mugs or socks", ["candles", "mugs", "socks"]),
        ("no candles and mugs and socks and hats and scarves", ["mugs", "socks", "hats", "scarves"]),
        (
            "allergic to nuts, eggs, sesame, soy, fish, shellfish, mustard, celery, lupin, dairy and gluten",
            ["nuts", "eggs", "sesame", "soy", "fish", "shellfish", "mustard", "celery", "lupin", "dairy", "gluten"]
        ),
    ])
    func `all that a list names is ruled out, whatever tables know of some of it`(text: String, things: [String]) throws
    {
        let hint = try #require(reading.read(text))
        #expect(Set(things).isSubset(of: hint.avoid), "\(hint)")
    }

    @Test(arguments: [
        ("she is allergic to shellfish, wool and mango", ["shellfish allergy", "no wool", "mango allergy"]),
        ("allergic to kiwi, mango and celery", ["kiwi allergy", "mango allergy", "celery allergy"]),
        ("allergic to nuts; kiwi", ["no nuts", "kiwi allergy"]),
        ("no nuts or kiwi, she is allergic", ["no nuts", "kiwi allergy"]),
        ("allergic to nuts + kiwi", ["no nuts", "kiwi allergy"]),
        ("nuts and kiwi give her hives", ["no nuts", "kiwi allergy"]),
        ("allergic to kiwi, and she hates opera", ["kiwi allergy"]),
        ("allergic to nuts; loves kiwi", ["no nuts"]),
        ("loud restaurants give her migraines", ["quiet places only", "fragrance free"]),
    ])
    func `each thing of a list that does harm is a limit, and nothing else is`(text: String, limits: [String]) throws {
        #expect(try #require(reading.read(text)).limits == limits)
    }

    @Test(arguments: [
        "Allergies: nuts, sesame, kiwi", "allergies - nuts, sesame, kiwi", "allergies (nuts, sesame, kiwi)",
        "her allergies are nuts, sesame and kiwi", "food allergies include nuts, sesame and kiwi",
        "allergies to nuts, sesame and kiwi", "intolerances: nuts, sesame, kiwi",
        "Marit's allergies: nuts, sesame, kiwi",
        "allergic: nuts, sesame, kiwi", "Allergies: nuts; sesame; kiwi", "Her allergies are: nuts, sesame, kiwi",
        "Allergens — nuts, sesame, kiwi",
    ])
    func `what stands behind a word for not bearing it is refused to the last`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .partner && hint.stance == .avoids && hint.serves == ["nut-free bakery box"], "\(hint)")
        #expect(Set(hint.limits) == ["no nuts", "sesame allergy", "kiwi allergy"], "\(hint)")
    }

    @Test(arguments: [
        "her allergies are acting up", "her allergies are awful this spring", "no allergies: loves nuts and kiwi",
        "no known allergies", "her allergies: none",
    ])
    func `how allergies are, and that there are none, names nothing`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.limits.isEmpty, "\(hint)")
    }

    @Test(arguments: [
        ("she is allergic to nuts; wants a kayak", "kayak")
    ])
    func `a wish behind an allergy stays a wish`(text: String, wish: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.serves.contains { $0.contains(wish) } && !hint.avoid.contains { $0.contains(wish) }, "\(hint)")
    }

    @Test(arguments: [
        ("sesame gives her hives", "sesame allergy"), ("a sesame allergy", "sesame allergy"),
        ("he is allergic to soya", "soy allergy"), ("mustard brings her out in hives", "no mustard"),
    ])
    func `sesame, soy and mustard are limits, however it is said`(text: String, limit: String) throws {
        #expect(try #require(reading.read(text)).limits == [limit])
    }

    @Test(arguments: [
        "my girlfriend has a nut allergy", "my fiance is allergic to nuts", "my boyfriend has a nut allergy",
    ])
    func `whom the user is with is the partner`(_ text: String) throws {
        #expect(try #require(reading.read(text)).limits == ["no nuts"])
    }

    @Test(arguments: [
        "her sister has a nut allergy", "her boyfriend is allergic to nuts", "her sister's allergies: nuts, kiwi",
    ])
    func `somebody else's allergy is no limit`(_ text: String) throws {
        #expect(try #require(reading.read(text)).limits.isEmpty)
    }

    @Test(arguments: [
        ("she does not eat pork", "bacon"), ("he doesn't touch alcohol", "beer"), ("she doesn't do dairy", "cheese"),
        ("he no longer drinks alcohol", "beer"), ("she never eats meat", "steak"),
    ])
    func `what is refused by a verb is the whole condition`(text: String, refused: String) throws {
        #expect(try #require(reading.read(text)).avoid.contains(refused))
    }

    @Test(arguments: [
        "she is not allergic to nuts after all", "he isn't vegan any more",
    ])
    func `what is denied rules nothing out`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(!hint.avoid.contains { ["almond", "nuts", "cheese"].contains($0) }, "\(hint)")
    }

    @Test func `who does not bear nuts does not bear peanuts`() throws {
        for text in ["she is allergic to nuts", "her nut allergy is severe", "he is allergic to tree nuts"] {
            let hint = try #require(reading.read(text))
            #expect(hint.avoid.contains { $0.contains("peanut butter") }, "\(hint.avoid)")
            #expect(hint.avoid.contains { $0.contains("cashew") }, "\(hint.avoid)")
        }
    }

    @Test func `a refused tool leaves its use alone`() throws {
        let hint = try #require(reading.read("anything but a coffee machine"))
        #expect(hint.avoid.contains("coffee machine"))
        #expect(!hint.avoid.contains("espresso"))
    }

    @Test(arguments: [
        "no wine red, please", "she hates cream carpets", "no coffee tables", "no salmon pink", "no wine glasses",
        "not a fan of mustard coloured walls",
    ])
    func `a food that is a colour or a tool's use is nobody's diet`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.limits == [], "\(hint)")
    }

    @Test(arguments: ["no wine, red or white", "no coffee, table for two", "allergic to salmon, pink things are fine"])
    func `behind a comma a tool or a colour spares nothing`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.limits != [], "\(hint)")
    }

    @Test func `a way of life that is over rules nothing out`() throws {
        let hint = try #require(reading.read("vegan phase = over, she cried over a grilled cheese"))
        #expect(!hint.avoid.contains("cheese"))
    }

    @Test func `of a condition the families of things stand within the limit`() throws {
        for text in ["He is done with alcohol", "no liquor, no cellar tours, no bourbon bars for him, he is sober now"]
        {
            let hint = try #require(reading.read(text))
            for word in ["wine", "beer", "winery", "vineyard", "winemaker", "brewery", "distillery", "whisky"] {
                #expect(hint.avoid.contains { $0.contains(word) }, "\(word) in \(hint.avoid)")
            }
            #expect(hint.avoid.count <= 12)
        }
    }
}

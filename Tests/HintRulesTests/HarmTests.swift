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

    @Test(arguments: ["her sister has a nut allergy", "her boyfriend is allergic to nuts"])
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

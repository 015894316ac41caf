import KnotDomain
import Testing

@testable import HintRules

/// What a newer hint takes back, however it says so, and what it leaves alone.
@Suite struct OverruleTests {
    private let reading = ReadingCase()

    @Test(arguments: [
        "fencing is done and dusted", "Fencing? Tried it, hated it.", "he lost interest in fencing",
        "the fencing idea is dead", "he sold all the fencing gear", "fencing is off the table, the club shut",
        "fencing was a passing fad", "He went off fencing", "fencing fizzled out",
    ])
    func `a newer no takes back the wish`(_ text: String) {
        expectTakenBack("He is keen on fencing", by: text)
    }

    @Test(arguments: [
        "her sister gave her the harmonium", "She treated herself to the harmonium",
        "they finally bought a harmonium",
    ])
    func `a wish for a thing that came is over`(_ text: String) {
        expectTakenBack("She wants a harmonium", by: text)
    }

    @Test(arguments: [
        ["She loves fado records", "no more fado mugs, please"],
        ["he wants a linen waistcoat", "no leather waistcoats"],
        ["She wants a harp cover", "her sister gave her the harp strings"],
    ])
    func `a no to another thing of the same theme leaves the wish`(_ texts: [String]) {
        let all = reading.read(texts)
        #expect((all.hints.first?.strength ?? 0) > 0)
        #expect(all.hints.last?.overrules == [])
    }

    @Test(arguments: [
        ["loves silver earrings", "hates gold earrings"], ["loves black tea", "hates green tea"],
        ["loves dark chocolate", "no milk chocolate"], ["he wants a cedar canoe", "he hates plastic canoes"],
        ["red tulips are her favourite", "no white tulips"], ["she loves marmalade", "she hates lime marmalade"],
        ["he watched the herons again", "he sold the brass watch"],
    ])
    func `a no to one sort leaves the love for the thing and for its other sorts`(_ texts: [String]) throws {
        let all = reading.read(texts)
        let (older, newer) = (try #require(all.hints.first), try #require(all.hints.last))
        #expect(older.strength > 0 && older.avoid == [] && newer.overrules == [], "\(all.hints)")
        #expect(newer.avoid.isEmpty == false)
    }

    @Test(arguments: [
        ["she loves black tea", "she hates tea"], ["she loves black tea", "she hates black tea"],
        ["the darkest roast, every morning", "she is over dark roasts"],
        ["he wants a harp", "found him a secondhand harp on ebay"],
    ])
    func `a no to the thing, or to the very sort, takes the love back`(_ texts: [String]) {
        expectTakenBack(texts[0], by: texts[1])
    }

    @Test(arguments: [
        ["she hates roses", "she would love rose gold earrings", "rose gold earrings"],
        ["she hates wine", "she wants a wine red scarf", "wine red scarf"],
        ["no bikes please", "she would love a bike helmet", "bike helmet"],
        ["no more scarves", "she would love a silk scarf", "silk scarf"],
        ["no gold please", "she wants gold hoop earrings", "gold hoop earrings"],
    ])
    func `a wish that is more exact than a refusal is served, and takes nothing back`(_ line: [String]) {
        let all = reading.read(Array(line.prefix(2)))
        #expect(all.hints.first?.avoid.isEmpty == false, "\(all.hints)")
        #expect(all.hints.last?.overrules == [])
        #expect(all.hints.last?.serves.contains(line[2]) == true, "\(all.hints)")
    }

    @Test(arguments: [
        ["she hates roses", "she would love roses"], ["no fencing lessons", "he wants fencing lessons"],
        ["no candles please", "she wants a candle"], ["no perfume", "he would love a perfume now"],
        ["no jewelry", "she wants jewelry"], ["no horror films", "she wants horror films"],
        ["no more scarves", "she changed her mind about scarves"], ["off alcohol", "she is back on wine"],
    ])
    func `a wish for the very thing takes the refusal back`(_ texts: [String]) {
        let all = reading.read(texts)
        #expect(all.hints.first?.avoid == [], "\(all.hints)")
        #expect(all.hints.last?.overrules == [HintID("hint-0")])
    }

    @Test(arguments: [
        ["no mugs or puzzles", "she wants a puzzle", "mug"], ["hates socks. no ties.", "he wants socks", "tie"],
        ["no candles, no perfume", "she wants candles", "perfume"],
        ["no nuts, no candles", "she wants candles", "nuts"],
        ["no nuts, no candles", "she wants candles after all", "nuts"],
        ["she hates roses and golf", "she would love roses", "golf"],
        ["already has a guitar, a drum and a harp", "he wants a drum", "another guitar"],
    ])
    func `a wish for one of several refused things leaves the others refused`(_ line: [String]) throws {
        let all = reading.read(Array(line.prefix(2)))
        let (older, newer) = (try #require(all.hints.first), try #require(all.hints.last))
        #expect(older.avoid.contains { $0.hasPrefix(line[2]) }, "\(older)")
        #expect(Set(older.avoid).isDisjoint(with: newer.serves), "\(all.hints)")
        #expect(older.strength > 0 && newer.overrules == [])
    }

    @Test(arguments: [
        ["candles give her a headache", "she wants candles", "candle"],
        ["no candles, she gets migraines", "she wants candles", "candle"],
        ["diabetic so no doughnuts", "she wants doughnuts", "doughnut"],
        ["she is vegetarian, no steak", "he wants a steak", "steak"],
    ])
    func `what is refused for a reason is taken back by no wish`(_ line: [String]) throws {
        let older = try #require(reading.read(Array(line.prefix(2))).hints.first)
        #expect(older.avoid.contains { $0.hasPrefix(line[2]) }, "\(older)")
    }

    @Test(arguments: [
        ["no more wine", "she wants wine after all"], ["no coffee for her", "she is back on coffee"],
        ["vegetarian since May", "eating meat again, she wants steak"],
        ["she is vegan", "she is no longer vegan, wants a leather bag"], ["she is vegan", "she is no longer vegan"],
        ["vegetarian since May", "not vegetarian any more"], ["she is a vegetarian", "she stopped being vegetarian"],
    ])
    func `what is taken back is a limit no more`(_ texts: [String]) throws {
        let all = reading.read(texts)
        let (older, newer) = (try #require(all.hints.first), try #require(all.hints.last))
        #expect(older.limits == [] && older.avoid == [] && older.strength == 0, "\(all.hints)")
        #expect(newer.overrules == [HintID("hint-0")])
        #expect(
            newer.avoid == []
                && !newer.serves.contains { $0.contains("longer") || $0.contains("vega") || $0.contains("vege") },
            "\(newer)"
        )
    }

    @Test(arguments: [
        ["she is allergic to nuts", "she wants nuts after all"],
        ["she is lactose intolerant", "she is back on cheese"],
        ["she is coeliac", "bread is back on"], ["kiwi gives her hives", "she wants kiwi after all"],
        ["she is vegan", "her sister is no longer vegan"], ["she is vegetarian", "no vegetarian lasagne please"],
        ["vegan and allergic to soy", "she is no longer vegan"],
    ])
    func `no wish and nobody else lifts a limit`(_ texts: [String]) throws {
        let all = reading.read(texts)
        #expect(all.hints.first?.limits.isEmpty == false && all.hints.last?.overrules == [], "\(all.hints)")
    }

    @Test func `the days that a note names stay when its refusal is taken back`() throws {
        let all = reading.read(["no more wine, away 20 December", "she wants wine after all"])
        #expect(all.hints.first?.limits == ["away 20 december"], "\(all.hints)")
    }

    @Test(arguments: [
        ["she is allergic to strawberries", "she wants a strawberry print dress"],
        ["she is allergic to strawberries", "she wants strawberries"],
        ["strawberries give her hives", "the strawberries are back on"],
        ["he is allergic to lobster", "turns out lobster is on again"],
        ["one prawn and she was in the ER", "she wants prawns again please"],
    ])
    func `what a body does not bear is ruled out whatever is wished for later`(_ texts: [String]) {
        let all = reading.read(texts)
        #expect(all.hints.first?.avoid.isEmpty == false, "\(all.hints)")
        #expect(all.hints.last?.overrules == [])
    }

    @Test(arguments: [
        ["she loves her guitar", "she does not want another guitar"], ["he loves his bike", "no new bike, please"],
    ])
    func `no other one leaves the love for the one that is there`(_ texts: [String]) throws {
        let all = reading.read(texts)
        let (older, newer) = (try #require(all.hints.first), try #require(all.hints.last))
        #expect(older.strength > 0 && older.avoid == [] && newer.overrules == [], "\(all.hints)")
        #expect(newer.avoid.first?.hasPrefix("another ") == true, "\(newer)")
    }

    @Test func `no other one takes back the wish for one, and leaves what goes with it`() throws {
        let all = reading.read(["she wants a guitar", "please not another guitar"])
        #expect(all.hints.first?.strength == 0 && all.hints.first?.avoid == [], "\(all.hints)")
        #expect(all.hints.last?.overrules == [HintID("hint-0")])
    }

    @Test func `what is hated is served no sooner for a note that only likes something near`() {
        let all = reading.read(["she hates roses", "she loves rose tea and rose jam"])
        #expect(all.hints.last?.serves.contains { $0.contains("rose") } == false, "\(all.hints)")
    }

    private func expectTakenBack(_ older: String, by newer: String) {
        let all = reading.read([older, newer])
        #expect(all.hints.first?.strength == 0, "\(all.hints)")
        #expect(all.hints.first?.serves.isEmpty == true, "\(all.hints)")
        #expect(all.hints.last?.overrules == [HintID("hint-0")], "\(all.hints)")
    }
}

import KnotDomain
import Testing

@testable import HintRules

/// What somebody has by now: no other one is shown, and what they only speak of stays the ground of a wish.
@Suite struct OwnedTests {
    private let reading = ReadingCase()

    @Test(arguments: [
        RefusedLine(text: "got her a loom last xmas", refused: "loom"),
        RefusedLine(text: "we got her a loom last year", refused: "loom"),
        RefusedLine(text: "gave her truffles last valentines", refused: "truffles"),
        RefusedLine(text: "I gave my wife a loom", refused: "loom"),
        RefusedLine(text: "Jo is getting him headphones", refused: "headphones"),
        RefusedLine(text: "her sister is getting her earrings", refused: "earrings"),
        RefusedLine(text: "her aunt gave her a robe, she wore it twice", refused: "robe"),
        RefusedLine(text: "he got a loom for xmas", refused: "loom"),
        RefusedLine(text: "she bought clogs in June", refused: "clogs"),
    ])
    func `what was given is there by now`(_ line: RefusedLine) throws { try expectOwned(line.text, [line.refused]) }

    @Test(arguments: [
        RefusedLine(text: "she has a loom", refused: "loom"), RefusedLine(text: "Marit has a loom", refused: "loom"),
        RefusedLine(text: "has a new loom now", refused: "loom"),
        RefusedLine(text: "we have a tea urn already", refused: "tea urn"),
        RefusedLine(text: "has clogs already", refused: "clogs"),
        RefusedLine(text: "owns two tea urns", refused: "tea urns"),
        RefusedLine(text: "he owns a fishing rod already", refused: "fishing rod"),
        RefusedLine(text: "she got herself a loom in May", refused: "loom"),
        RefusedLine(text: "he's got his own barbecue now", refused: "barbecue"),
        RefusedLine(text: "owns a loom", refused: "loom"),
        RefusedLine(text: "tea urn: she has one", refused: "tea urn"),
        RefusedLine(text: "tea urn: she bought a new one in May", refused: "tea urn"),
        RefusedLine(text: "her kettle broke, we replaced it", refused: "kettle"),
        RefusedLine(text: "her kettle leaks but she got a new one", refused: "kettle"),
        RefusedLine(text: "the kettle broke, already replaced", refused: "kettle"),
    ])
    func `what somebody has is wanted no second time`(_ line: RefusedLine) throws {
        try expectOwned(line.text, [line.refused])
    }

    @Test(arguments: [
        ["already has a loom, a harp and a kite", "loom", "harp", "kite"],
        ["her aunt gave her a loom, a harp and a kite", "loom", "harp", "kite"],
        ["her aunt gave her a loom, a harp and a kite last year", "loom", "harp", "kite"],
        ["gave him a scarf and gloves last year", "scarf", "gloves"],
        ["already has a loom and a harp", "loom", "harp"], ["she has a loom & a harp", "loom", "harp"],
    ])
    func `a list of what is there is heard to its end`(_ line: [String]) throws {
        try expectOwned(line[0], Array(line.dropFirst()))
    }

    @Test(arguments: [
        ["she does not need a loom, a harp or a kite", "loom", "harp", "kite"],
        ["no loom, harp or kite", "loom", "harp", "kite"],
    ])
    func `a list of what is refused is heard to its end`(_ line: [String]) throws {
        let hint = try #require(reading.read(line[0]))
        #expect(Set(hint.avoid).isSuperset(of: line.dropFirst()), "\(hint)")
    }

    @Test(arguments: ["not a mug, a kite", "no mugs, a nice kite", "she does not want a mug, a kite would be better"])
    func `what stands against a refusal is not refused`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(!hint.avoid.contains { $0.contains("kite") }, "\(hint)")
    }

    @Test(arguments: [
        "has a dog", "has a sweet tooth", "she has a love of looms", "has a thing for owls", "has a soft spot for owls",
        "she has a garden",
        "has an exam in May", "we have a dinner on Friday", "has an old kettle", "has a cheap loom",
        "she has a loom but wants a better one", "got him into climbing", "got her hooked on pottery",
        "thinking of getting her a loom", "should have got her a loom", "never got her a loom", "does she have a loom",
        "she got a book about owls", "loves the scarf I gave her last year", "she has a loom on her wishlist",
        "her kettle needs to be replaced", "she needs the kettle replaced", "got her a loom, it broke",
    ])
    func `what is spoken of and not owned is refused by nobody`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance != .avoids && hint.avoid == [], "\(hint)")
    }

    @Test(arguments: [
        "has a loom, wants a kite", "already has a loom and wants a kite", "she has a loom and wants a kite",
    ])
    func `who has one thing may want another`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance == .wants && hint.serves.first == "kite", "\(hint)")
    }

    @Test(arguments: [
        ["she wants a loom", "her brother got her a loom"], ["she wants a loom", "she has a loom now"],
        ["her kettle broke", "she bought a new kettle"], ["her kettle broke", "new kettle arrived"],
        ["her kettle broke", "her mom got her a new kettle"],
    ])
    func `a thing that came ends the wish for it and the trouble with the old one`(_ texts: [String]) throws {
        let all = reading.read(texts)
        let older = try #require(all.hints.first)
        #expect(older.strength == 0 && older.serves == [] && older.avoid == [], "\(older)")
        #expect(all.hints.last?.overrules == [older.hintID])
    }

    @Test(arguments: [
        ["she wants a harp cover", "she got a harp from her mom"], ["her bike squeaks", "she has a bike"],
        ["she wants a loom", "her friend has a loom"], ["he loves his loom", "he has a loom"],
    ])
    func `what is there already ends no other wish`(_ texts: [String]) throws {
        let all = reading.read(texts)
        #expect((all.hints.first?.strength ?? 0) > 0 && all.hints.last?.overrules == [], "\(all.hints)")
    }

    @Test func `a trouble that is over asks for nothing`() throws {
        for text in ["her kettle broke but its fixed now", "the kettle is fixed"] {
            let over = try #require(reading.read(text))
            #expect(over.strength == 0 && over.serves == [], "\(over)")
        }
        let again = try #require(reading.read("the kettle is fixed but her clock is broken"))
        #expect(again.strength > 0, "\(again)")
    }

    private func expectOwned(_ text: String, _ things: [String]) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance == .avoids && hint.serves == [], "\(hint)")
        #expect(hint.avoid == things.map { "another \($0)" }, "\(hint)")
    }
}

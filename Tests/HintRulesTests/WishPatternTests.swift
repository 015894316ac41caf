import KnotDomain
import Testing

@testable import HintRules

/// The same turns of phrase, said of four different people.
@Suite struct WishPatternTests {
    private let reading = ReadingCase()

    /// Ways to want something, with the thing that stands behind.
    static let turns = [
        "could do with a harmonium", "would love a harmonium", "wouldn't mind a harmonium",
        "wouldn't say no to a harmonium", "fancied a harmonium for ages", "dreams of a harmonium",
        "would kill for a harmonium", "has been hinting about a harmonium",
    ]

    @Test(arguments: turns) func `of the partner it is a wish`(_ turn: String) throws {
        let hint = try #require(reading.read("She \(turn)"))
        #expect(hint.subject == .partner)
        #expect(hint.strength >= 0.9)
        #expect(hint.serves.contains { $0.contains("harmonium") })
    }

    @Test(arguments: turns) func `of a relative it steers nothing`(_ turn: String) throws {
        try expectSilent("her great-aunt \(turn)", .other)
    }

    @Test(arguments: turns) func `of somebody with another name it steers nothing`(_ turn: String) throws {
        try expectSilent("Oskar at the office \(turn)", .other)
    }

    @Test(arguments: turns) func `of the user it steers nothing`(_ turn: String) throws {
        let own = turn.replacing("has been", with: "have been").replacing("dreams", with: "dream")
        try expectSilent("I \(own)", .user)
    }

    @Test(arguments: [
        "my own wish: a harmonium", "My dream is a harmonium", "someone buy ME a harmonium", "A harmonium! (me)",
    ])
    func `the user's own list steers nothing`(_ text: String) throws {
        try expectSilent(text, .user)
    }

    @Test(arguments: [
        "For her aunt: a harmonium", "Not her, her flatmate: the harmonium", "Her cousin's wish list: a harmonium",
        "his uncle's birthday is near and he wants a harmonium", "our lodger begs him for a harmonium",
        "her old man has his eye on a harmonium",
    ])
    func `whoever is named first is the one who wants`(_ text: String) throws {
        try expectSilent(text, .other)
    }

    @Test(arguments: [
        "she loves Frida Kahlo and wants a harmonium", "Marit saw Hamilton and wants a harmonium",
        "listens to Astor Piazzolla and wants a harmonium", "Adores Nina Simone and would love a harmonium",
        "she went with Oskar and wants a harmonium", "she loves her gran and wants a harmonium",
        "he took Oskar to Lisbon and now wants a harmonium", "she likes Paris, Rome and Lisbon and wants a harmonium",
    ])
    func `whoever is only loved, met or seen is not the one who wants`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .partner && hint.strength >= 0.85, "\(hint)")
        #expect(hint.serves.contains { $0.contains("harmonium") } && hint.avoid.isEmpty, "\(hint)")
    }

    @Test(arguments: [
        "she loves Paris and Oskar wants a harmonium", "she heard Oskar wants a harmonium",
        "he said Oskar loves opera and wants a harmonium", "her cousin loves Frida Kahlo and wants a harmonium",
        "Oskar loves Frida Kahlo and wants a harmonium", "Oskar and Ines want a harmonium",
        "her colleague Oskar visited Lisbon and wants a harmonium",
        "she loves her sister and her sister wants a harmonium",
    ])
    func `who is named before the wish and acts there is the one who wants`(_ text: String) throws {
        try expectSilent(text, .other)
    }

    @Test(arguments: [
        "my brother bought a harmonium", "our friends went to a harmonium concert", "my coworker plays the harmonium",
        "the neighbours painted their harmonium", "her mum knits scarves", "his sister plays the harmonium",
        "our friends bought a harmonium and they play it daily",
    ])
    func `what others do steers nothing, and rules nothing out`(_ text: String) throws {
        try expectSilent(text, .other)
        #expect(try #require(reading.read(text)).avoid == [])
    }

    @Test(arguments: [
        "her sister got her earrings", "my boss gave us theatre tickets", "her brother plays the harmonium with her",
        "our kids broke her harmonium", "the neighbours drum all night", "my friend says the harmonium shop is great",
        "her mother already bought the harmonium", "my sister showed me a harmonium",
        "our friends went to a jazz club and we should go",
    ])
    func `what others do for the partner, at home or for the user to know is the partner's`(_ text: String) throws {
        #expect(try #require(reading.read(text)).subject != .other)
    }

    @Test(arguments: [
        "he lingered over the harmonium in the window", "a harmonium would make her day",
        "She tried the harmonium and put it back", "a harmonium is top of his list",
    ])
    func `a temptation is a wish`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .partner)
        #expect(hint.strength >= 0.9)
        #expect(hint.serves.contains { $0.contains("harmonium") })
    }

    @Test func `a wish of the user for the partner still counts`() throws {
        let hint = try #require(reading.read("I could do with some help finding her a harmonium"))
        #expect(hint.subject != .user)
    }

    private func expectSilent(_ text: String, _ subject: HintReading.Subject) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == subject, "\(hint)")
        #expect(hint.strength == 0, "\(hint)")
        #expect(hint.serves.isEmpty, "\(hint)")
    }
}

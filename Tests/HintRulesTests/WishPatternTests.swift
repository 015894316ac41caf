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

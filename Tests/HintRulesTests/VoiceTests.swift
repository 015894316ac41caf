import KnotDomain
import Testing

@testable import HintRules

/// Whose note it is where no single turn of phrase says so.
@Suite struct VoiceTests {
    private let reading = ReadingCase()

    @Test(arguments: [
        "I'd trade my car for a clavichord", "I keep drooling over a lathe", "I confess I covet that samovar",
        "I would so gladly have a trampoline", "If I don't get a canoe this year I'm rioting",
        "a kiln for my allotment, that's my dream", "my chisels are blunt, could do with a grindstone",
    ])
    func `a wish in the first person that names nobody else is the user's`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .user)
        #expect(hint.strength == 0)
    }

    @Test(arguments: [
        "I'd pawn the piano for a canoe. She is happy ashore", "I could fair go a sauna. His nibs is always warm",
        "I myself am eyeing a lathe, she says it is too loud",
    ])
    func `a wish in the first person stays the user's when the partner is named after it`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .user)
        #expect(hint.strength == 0)
    }

    @Test(arguments: [
        "I noticed the loom is falling apart", "I heard about a harp that is for hire",
        "I think a clavichord would be the thing", "asleep on my couch again by ten",
        "my wife wants a clavichord", "Said I would look good in a kilt",
    ])
    func `what the user notices is the partner's`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .partner)
        #expect(hint.strength > 0)
    }

    @Test(arguments: [
        "Our nephew Bram is beside himself over one of those unicycles",
        "Oskar from the depot is mad behind that lathe",
        "her cousin would sell a kidney for a harp", "our flatmate searches since weeks a gong",
        "Uncle Bram is forever sending us links to canoes", "her sister's husband is after a smoker",
        "his brother hopes Santa brings a clavichord",
    ])
    func `a bystander who wants something wants it for themselves`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .other)
        #expect(hint.strength == 0)
    }

    @Test(arguments: [
        "Her mother taught her to play the gong", "his brother thinks he needs a new saddle",
        "Rex (our dog) would eat the sofa if she let him",
    ])
    func `a bystander beside the partner takes nothing away`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject != .other)
    }
}

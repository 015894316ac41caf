import KnotDomain
import Testing

@testable import Recommendation

/// Refusals that are more than one word, in sentences that no table holds as a whole.
@Suite struct RefusalTurnTests {
    struct Line: CustomTestStringConvertible {
        let text: String
        let refused: String
        var testDescription: String { text }
    }

    private let reading = ReadingCase()

    @Test(arguments: [
        Line(text: "She has lost all interest in falconry", refused: "falconry"),
        Line(text: "He won't go near a trampoline", refused: "trampoline"),
        Line(text: "she'd sooner starve than eat polenta", refused: "polenta"),
        Line(text: "Marit washed her hands of bonsai", refused: "bonsai"),
        Line(text: "he is not a fan of sausages", refused: "sausages"),
        Line(text: "She got rid of the spinning wheel", refused: "spinning wheel"),
        Line(text: "forget the harp", refused: "harp"),
        Line(text: "She got sick to death of quinoa", refused: "quinoa"),
        Line(text: "She's had her fill of crosswords", refused: "crosswords"),
        Line(text: "anything but begonias", refused: "begonias"),
        Line(text: "please steer clear of nougat", refused: "nougat"),
        Line(text: "he'd sooner eat the box than another nougat", refused: "nougat"),
        Line(text: "nobody buy him another harp or another pair of begonias", refused: "begonias"),
        Line(text: "he has fallen out of love with falconry", refused: "falconry"),
        Line(text: "if I bring her another harp she leaves me", refused: "harp"),
    ])
    func `what is refused may stand behind the turn`(_ line: Line) throws {
        try expectRefused(line)
    }

    @Test(arguments: [
        Line(text: "Falconry is behind her now", refused: "falconry"),
        Line(text: "the accordion phase is over", refused: "accordion"),
        Line(text: "nougat turns his stomach", refused: "nougat"),
        Line(text: "Trampolines freak her out", refused: "trampolines"),
        Line(text: "begonias leave him cold", refused: "begonias"),
        Line(text: "the harmonium went on ebay", refused: "harmonium"),
        Line(text: "polenta is off the menu", refused: "polenta"),
        Line(text: "saxophone music drives her up the wall", refused: "saxophone music"),
        Line(text: "quinoa brings him out in spots", refused: "quinoa"),
        Line(text: "crosswords? not her thing", refused: "crosswords"),
        Line(text: "harp lessons were just a phase", refused: "harp lessons"),
        Line(text: "falconry lasted about two weeks", refused: "falconry"),
        Line(text: "the falconry era is over", refused: "falconry"),
        Line(text: "bagpipes no, saxophone no, harp yes", refused: "saxophone"),
        Line(text: "Begonias are creepy", refused: "begonias"),
        Line(text: "she finds begonias depressing", refused: "begonias"),
        Line(text: "Owns two harps. Enough.", refused: "harps"),
        Line(text: "falconry is a closed chapter", refused: "falconry"),
        Line(text: "his trampoline days are long gone", refused: "trampoline"),
        Line(text: "his back went so falconry is off the table", refused: "falconry"),
    ])
    func `what is refused may stand before the turn`(_ line: Line) throws {
        try expectRefused(line)
    }

    @Test(arguments: [
        Line(text: "Falconry? Tried it, hated it.", refused: "falconry"),
        Line(text: "The harp: she went off it within a week", refused: "harp"),
        Line(
            text: "He borrowed a trampoline for the whole summer. He went off it within a week",
            refused: "trampoline"
        ),
    ])
    func `a pronoun points back to what was named`(_ line: Line) throws {
        try expectRefused(line)
    }

    @Test(arguments: [
        "He has not lost interest in falconry",
        "she wouldn't say no to a harp", "she'd no harp worth the name", "no gloves that fit, his hands are huge",
        "she has had that harp since she was ten", "He nearly gave up on finding a harp",
    ])
    func `a turn that is denied refuses nothing`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance != .avoids)
        #expect(hint.avoid.isEmpty)
    }

    @Test(arguments: [
        Line(text: "Dr. Okafor told him to stay away from meat", refused: "steak"),
        Line(text: "dairy is out of the question these days", refused: "cheese"),
        Line(text: "prawns make her throat close", refused: "lobster"),
        Line(text: "perfume gives him a splitting headache", refused: "scented candle"),
        Line(text: "she has laid off the booze", refused: "wine"),
        Line(text: "he has gout now", refused: "beer"),
        Line(text: "please, no more speeches for her", refused: "surprise party"),
    ])
    func `a refusal of a kind of thing is the condition, however it is worded`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.refused))
    }

    private func expectRefused(_ line: Line) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.refused), "\(hint)")
        #expect(!hint.serves.contains { $0.contains(line.refused) }, "\(hint)")
        #expect(hint.stance == .avoids, "\(hint)")
    }
}

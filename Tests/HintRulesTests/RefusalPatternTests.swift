import KnotDomain
import Testing

@testable import HintRules

/// Refusals that are more than one word, in sentences that no table holds as a whole.
@Suite struct RefusalPatternTests {
    private let reading = ReadingCase()

    @Test(arguments: [
        RefusedLine(text: "She has lost all interest in falconry", refused: "falconry"),
        RefusedLine(text: "He won't go near a trampoline", refused: "trampoline"),
        RefusedLine(text: "she'd sooner starve than eat polenta", refused: "polenta"),
        RefusedLine(text: "Marit washed her hands of bonsai", refused: "bonsai"),
        RefusedLine(text: "he is not a fan of sausages", refused: "sausages"),
        RefusedLine(text: "She got rid of the spinning wheel", refused: "spinning wheel"),
        RefusedLine(text: "forget the harp", refused: "harp"),
        RefusedLine(text: "She got sick to death of quinoa", refused: "quinoa"),
        RefusedLine(text: "She's had her fill of crosswords", refused: "crosswords"),
        RefusedLine(text: "anything but begonias", refused: "begonias"),
        RefusedLine(text: "please steer clear of nougat", refused: "nougat"),
        RefusedLine(text: "he'd sooner eat the box than another nougat", refused: "another nougat"),
        RefusedLine(text: "nobody buy him another harp or another pair of begonias", refused: "another begonias"),
        RefusedLine(text: "he has fallen out of love with falconry", refused: "falconry"),
        RefusedLine(text: "if I bring her another harp she leaves me", refused: "another harp"),
    ])
    func `what is refused may stand behind the turn`(_ line: RefusedLine) throws {
        try expectRefused(line)
    }

    @Test(arguments: [
        RefusedLine(text: "Falconry is behind her now", refused: "falconry"),
        RefusedLine(text: "the accordion phase is over", refused: "accordion"),
        RefusedLine(text: "nougat turns his stomach", refused: "nougat"),
        RefusedLine(text: "Trampolines freak her out", refused: "trampolines"),
        RefusedLine(text: "begonias leave him cold", refused: "begonias"),
        RefusedLine(text: "the harmonium went on ebay", refused: "harmonium"),
        RefusedLine(text: "polenta is off the menu", refused: "polenta"),
        RefusedLine(text: "saxophone music drives her up the wall", refused: "saxophone music"),
        RefusedLine(text: "quinoa brings him out in spots", refused: "quinoa"),
        RefusedLine(text: "crosswords? not her thing", refused: "crosswords"),
        RefusedLine(text: "harp lessons were just a phase", refused: "harp lessons"),
        RefusedLine(text: "falconry lasted about two weeks", refused: "falconry"),
        RefusedLine(text: "the falconry era is over", refused: "falconry"),
        RefusedLine(text: "bagpipes no, saxophone no, harp yes", refused: "saxophone"),
        RefusedLine(text: "Begonias are creepy", refused: "begonias"),
        RefusedLine(text: "she finds begonias depressing", refused: "begonias"),
        RefusedLine(text: "Owns two harps. Enough.", refused: "harps"),
        RefusedLine(text: "falconry is a closed chapter", refused: "falconry"),
        RefusedLine(text: "his trampoline days are long gone", refused: "trampoline"),
        RefusedLine(text: "his back went so falconry is off the table", refused: "falconry"),
    ])
    func `what is refused may stand before the turn`(_ line: RefusedLine) throws {
        try expectRefused(line)
    }

    @Test(arguments: [
        RefusedLine(text: "Falconry? Tried it, hated it.", refused: "falconry"),
        RefusedLine(text: "The harp: she went off it within a week", refused: "harp"),
        RefusedLine(
            text: "He borrowed a trampoline for the whole summer. He went off it within a week",
            refused: "trampoline"
        ),
    ])
    func `a pronoun points back to what was named`(_ line: RefusedLine) throws {
        try expectRefused(line)
    }

    @Test(arguments: [
        "He has not lost interest in falconry",
        "she wouldn't say no to a harp", "she'd no harp worth the name", "no gloves that fit, his hands are huge",
        "she has had that harp since she was ten", "He nearly gave up on finding a harp",
        "never says no to a harp recital", "still no harp at home", "no harp of her own",
        "not one harp left in the shop",
        "He sold the harp and has regretted it ever since",
    ])
    func `a turn that is denied refuses nothing`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance != .avoids)
        #expect(hint.avoid.isEmpty)
    }

    @Test(arguments: [
        RefusedLine(text: "Dr. Okafor told him to stay away from meat", refused: "steak"),
        RefusedLine(text: "dairy is out of the question these days", refused: "cheese"),
        RefusedLine(text: "prawns make her throat close", refused: "lobster"),
        RefusedLine(text: "perfume gives him a splitting headache", refused: "scented candle"),
        RefusedLine(text: "she has laid off the booze", refused: "wine"),
        RefusedLine(text: "he has gout now", refused: "beer"),
        RefusedLine(text: "please, no more speeches for her", refused: "surprise party"),
    ])
    func `a refusal of a kind of thing is the condition, however it is worded`(_ line: RefusedLine) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.refused))
    }

    @Test(arguments: [
        RefusedLine(text: "no more scarves pls", refused: "scarves"),
        RefusedLine(text: "no puzzles plz", refused: "puzzles"),
        RefusedLine(text: "no puzzles thx", refused: "puzzles"),
        RefusedLine(text: "no scarves tho lol", refused: "scarves"),
        RefusedLine(text: "nothing from Zara please", refused: "zara"),
        RefusedLine(text: "no real leather", refused: "leather"), RefusedLine(text: "no real fur", refused: "fur"),
    ])
    func `a small word of courtesy and who makes a thing change no refusal`(_ line: RefusedLine) throws {
        try expectRefused(line)
    }

    @Test(arguments: ["no real garden here", "no real plans for May", "nothing from her sister yet"])
    func `a lack is no refusal`(_ text: String) throws {
        #expect(try #require(reading.read(text)).avoid == [])
    }

    @Test(arguments: [
        RefusedLine(text: "she doesn't drink coffee", refused: "coffee"),
        RefusedLine(text: "doesnt drink much tea", refused: "tea"),
        RefusedLine(text: "stopped drinking coffee after noon", refused: "coffee"),
        RefusedLine(text: "quit drinking soda", refused: "soda"),
        RefusedLine(text: "doesn't drink gin, only mezcal", refused: "gin"),
    ])
    func `who does not drink one thing may drink any other`(_ line: RefusedLine) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.refused), "\(hint)")
        #expect(!hint.avoid.contains("wine") && !hint.avoid.contains("mezcal"), "\(hint)")
        #expect(!hint.limits.contains("no alcohol"), "\(hint)")
    }

    @Test(arguments: [
        "she doesn't drink", "she doesn't drink alcohol", "does not drink at lunch", "stopped drinking last year",
        "stopped drinking after her diagnosis", "does not drink or smoke", "quit drinking in January",
        "quit drinking cold turkey", "not drinking any more",
    ])
    func `who drinks nothing drinks no wine`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.avoid.contains("wine") && hint.limits.contains("no alcohol"), "\(hint)")
    }

    private func expectRefused(_ line: RefusedLine) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.refused), "\(hint)")
        #expect(!hint.serves.contains { $0.contains(line.refused) }, "\(hint)")
        #expect(hint.stance == .avoids, "\(hint)")
    }
}

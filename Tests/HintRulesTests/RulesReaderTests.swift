import KnotDomain
import Testing

@testable import HintRules

@Suite struct RulesReaderTests {
    struct Line: CustomTestStringConvertible {
        let text: String
        var expected: String = ""
        var source = Hint.Source.textInput
        var testDescription: String { text }
    }

    private let reading = ReadingCase()

    // MARK: - Whose wish

    @Test(arguments: [
        Line(text: "Her father wants a leaf blower for his birthday"),
        Line(text: "our son keeps begging for a drum kit", source: .voiceTranscription),
        Line(text: "Tobias would love a pressure washer, ask him in May"),
        Line(text: "oskar wants a fish tank", source: .voiceTranscription),
        Line(text: "My coworker is obsessed with kites"),
    ])
    func `another person's wish steers nothing`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text, source: line.source))
        #expect(hint.subject == .other)
        #expect(hint.strength == 0)
        #expect(hint.serves.isEmpty)
    }

    @Test(arguments: [
        "I want a standing desk so badly", "note to self: new wiper blades", "Put a wok on MY list",
        "remind me to buy myself a rain coat", "I'd love a go on a jet ski. Me not her",
    ])
    func `the user's own wish steers nothing`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.subject == .user)
        #expect(hint.strength == 0)
        #expect(hint.serves.isEmpty)
    }

    @Test func `a relation that owns or gives is not the one who wants`() throws {
        let heirloom = try #require(reading.read("Her uncle's mandolin has a cracked neck, it lives in the attic"))
        #expect(heirloom.subject == .partner)
        #expect(heirloom.strength > 0.8)
        let gift = try #require(reading.read("Her sister gave her a tablet and it's in the drawer"))
        #expect(gift.subject == .partner)
        #expect(gift.stance == .avoids)
    }

    @Test func `the first person inside the partner's words is the partner`() throws {
        let hint = try #require(reading.read("She said I want to see the sea just once this year"))
        #expect(hint.subject == .partner)
        #expect(hint.strength > 0.8)
    }

    @Test func `a wish for both is the couple's`() throws {
        let hint = try #require(reading.read("We never go out after dark together any more"))
        #expect(hint.subject == .couple)
        #expect(hint.strength > 0)
    }

    @Test func `a short form of the name is the partner`() throws {
        let hint = try #require(reading.read("Mar wants a fold-up telescope"))
        #expect(hint.subject == .partner)
        #expect(hint.serves.contains { $0.contains("telescope") })
    }

    // MARK: - Noes

    @Test(arguments: [
        Line(text: "No more scarves please", expected: "scarves"),
        Line(text: "she is so over tulips", expected: "tulips"),
        Line(text: "Marit is done with puzzles", expected: "puzzles"),
        Line(text: "He gave up cigars for good", expected: "cigars"),
        Line(text: "she can't stand marzipan", expected: "marzipan"),
        Line(text: "mohair makes her itch", expected: "mohair"),
        Line(text: "she doesn't need another umbrella", expected: "another umbrella"),
        Line(text: "She owns five teapots", expected: "teapots"),
        Line(text: "wouldn't set foot on a ferry", expected: "ferry"),
        Line(text: "um nobody buy her a diary again", expected: "diary", source: .voiceTranscription),
        Line(text: "please not another keyring", expected: "another keyring"),
    ])
    func `a no rules its object out`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text, source: line.source))
        #expect(hint.stance == .avoids)
        #expect(hint.avoid.contains(line.expected))
        #expect(!hint.serves.contains { $0.contains(line.expected) })
    }

    @Test(arguments: [
        Line(text: "he already has a telescope", expected: "another telescope"),
        Line(text: "she just got a telescope", expected: "another telescope"),
        Line(text: "she hates telescopes", expected: "telescopes"),
    ])
    func `what is there already is not needed twice, and nothing else is ruled out for it`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text, source: line.source))
        #expect(hint.avoid == [line.expected])
    }

    @Test(arguments: [
        "She has no player for her records", "No hot soup survives the ride to work", "no idea what to get her",
    ])
    func `a lack is not a refusal`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance != .avoids)
    }

    @Test func `a contrast serves its one half and rules out the other`() throws {
        let hint = try #require(reading.read("No more biscuits, but she wants a proper barley loaf"))
        #expect(hint.avoid.contains("biscuits"))
        #expect(hint.serves.contains { $0.contains("barley") })
        #expect(!hint.serves.contains { $0.contains("biscuit") })
    }

    @Test(arguments: [
        Line(text: "loves jazz, hates country", expected: "jazz"),
        Line(text: "he loves pottery and hates knitting", expected: "pottery"),
        Line(text: "loves hiking, hates tents", expected: "hiking"),
        Line(text: "hates tents, loves hiking", expected: "hiking"),
        Line(text: "loves jazz, allergic to cats", expected: "jazz"),
    ])
    func `a liking beside a no to something else is served`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.stance == .avoids && !hint.avoid.isEmpty && hint.strength > 0, "\(hint)")
        #expect(hint.serves.contains(line.expected), "\(hint)")
    }

    @Test(arguments: [
        "he loved golf, hates it now", "used to love golf, hates it", "she loves that I do not buy golf balls",
        "loves to hate golf", "no golf, she cried at the last lesson", "she keeps saying no more golf",
    ])
    func `a liking of what the same note refuses is none`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.serves == [] && hint.avoid.contains { $0.contains("golf") }, "\(hint)")
    }

    @Test(arguments: ["she loves wine. she is pregnant, no alcohol", "loved the wine but is off alcohol now"])
    func `a liking is no exception to a condition that the same note names`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.avoid.contains("wine") && !hint.serves.contains { $0.contains("wine ") }, "\(hint)")
    }

    @Test(arguments: [
        "oct 3 is her grandmas funeral", "her exam is on oct 12", "we have a wedding on sept 19",
        "sunday oct 11 we are at my parents", "she works oct 11", "not free on oct 3",
    ])
    func `a day on which something else is asks for nothing`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance == .fact && hint.strength < 0.5 && hint.serves == [], "\(hint)")
    }

    @Test(arguments: [
        "free saturday and sunday", "Tuesday and Thursday evenings free", "working until 6 on friday",
        "dinner with her parents at 6 on saturday, lunch is ours",
        "flight lands 6 pm friday", "she can not do anything after 6 on friday",
    ])
    func `a time that is free asks for what fits into it`(_ text: String) throws {
        let hint = try #require(reading.read(text))
        #expect(hint.stance == .fact && hint.serves.contains { $0.contains("two") }, "\(hint)")
    }

    @Test func `a day beside a liking leaves the liking`() throws {
        let hint = try #require(reading.read("she loves jazz, the club reopens oct 3"))
        #expect(hint.stance == .likes && hint.serves.contains("jazz"), "\(hint)")
    }

    @Test func `a list goes on with the no before it`() throws {
        let hint = try #require(reading.read("no toffee, fudge or nougat"))
        #expect(hint.avoid.contains("fudge"))
    }

    @Test(arguments: [
        Line(text: "She found out she's coeliac", expected: "bread"), Line(text: "he's vegan now", expected: "leather"),
        Line(text: "she is allergic to tree nuts", expected: "pistachio"),
        Line(text: "sober since the spring", expected: "wine"), Line(text: "scared of heights", expected: "zip line"),
        Line(text: "she gets seasick in the bath", expected: "cruise"),
        Line(text: "lives in a tiny flat, no room for anything", expected: "furniture"),
    ])
    func `a condition rules out what does not go with it`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.avoid.contains(line.expected))
        #expect(!hint.limits.isEmpty)
    }

    @Test func `a flatmate's allergy binds the home`() throws {
        let hint = try #require(reading.read("Her flatmate is allergic to peanuts"))
        #expect(hint.avoid.contains("peanuts") || hint.avoid.contains("nut"))
        #expect(hint.strength > 0)
    }

    @Test func `what is ruled out anywhere is served nowhere`() {
        let all = reading.read(["She quit sugar", "She loves a good chocolate box"])
        #expect(!all.hints.contains { hint in hint.serves.contains { $0.contains("chocolate") } })
    }

    @Test(arguments: [
        ("She does not want another guitar", "another guitar"), ("no new bicycle please", "another bicycle"),
        ("she already has a guitar", "another guitar"), ("no guitars please", "guitars"),
        ("no more guitars", "guitars"), ("she hates New Orleans", "orleans"),
    ])
    func `only one more is refused where the note says so`(text: String, avoid: String) throws {
        #expect(try #require(reading.read(text)).avoid.first == avoid)
    }

    @Test func `a no to one metal of jewellery is no other's`() throws {
        let gold = try #require(reading.read("she cannot stand gold jewellery"))
        #expect(gold.avoid.contains("gold jewellery") && !gold.avoid.contains("necklace"), "\(gold)")
        #expect(try #require(reading.read("she cannot stand jewellery")).avoid.contains("necklace"))
    }

    // MARK: - Overruling

    @Test func `a newer no takes back an older yes`() {
        let all = reading.read(["He always wanted a parrot", "No parrots, he says, never again"])
        #expect(all.hints.map(\.overrules) == [[], [HintID("hint-0")]])
        #expect(all.hints.first?.strength == 0)
        #expect(all.hints.first?.serves.isEmpty == true)
    }

    @Test func `a newer condition takes back what it covers`() {
        let all = reading.read(["She loved that Rioja in the old town", "She's off alcohol completely"])
        #expect(all.hints.last?.overrules == [HintID("hint-0")])
        #expect(all.hints.first?.strength == 0)
    }

    @Test func `a newer yes takes back an older no`() throws {
        let all = reading.read(["No tattoos ever, she says", "Turns out she wants a tattoo now"])
        let newer = try #require(all.hints.last)
        #expect(newer.overrules == [HintID("hint-0")])
        #expect(newer.strength > 0.8)
        #expect(all.hints.first?.avoid.isEmpty == true)
    }

    @Test func `a wish that came true is over`() {
        let all = reading.read(["He wants an accordion stand", "He finally bought the accordion stand"])
        #expect(all.hints.map(\.strength) == [0, 0])
    }

    @Test func `an older no does not take back a newer yes`() {
        let all = reading.read(["No swimming for her this month", "She wants a kite"])
        #expect(!all.hints.contains { !$0.overrules.isEmpty })
    }

    // MARK: - Remedies

    @Test(arguments: [
        Line(text: "her fingers are frozen at the tram stop", expected: "heated gloves"),
        Line(text: "his feet are killing him after the late shift", expected: "foot massage"),
        Line(text: "she never sleeps, the light comes through the blinds", expected: "blackout curtains"),
        Line(text: "the kitchen knives are dull", expected: "knife sharpening service"),
        Line(text: "her grandfather's watch stopped", expected: "watch repair and service"),
        Line(text: "His aunt's recipe cards are fading", expected: "recipe card scanning and restoration"),
        Line(text: "lost one of her earrings on the train", expected: "replacement earrings"),
        Line(text: "slugs ate all the lettuce in the garden again", expected: "garden netting cage"),
    ])
    func `a cause is answered by its remedy`(_ line: Line) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.serves.contains(line.expected))
        #expect(hint.strength > 0.5)
    }

    @Test func `a broken thing that no table knows is at least repaired`() throws {
        let hint = try #require(reading.read("her theremin is broken"))
        #expect(hint.serves.contains("theremin repair"))
    }

    @Test func `a proper name of a wish is kept`() throws {
        let hint = try #require(reading.read("she wants everything by Clarice Lispector"))
        #expect(hint.serves.contains { $0.contains("clarice lispector") })
    }

    // MARK: - Vault

    @Test func `dislikes are ruled out in catalogue words`() {
        var one = reading
        one.dislikes = [Interest(.gaming), Interest("Falconry")]
        let all = one.read(["She loves rain"])
        #expect(all.avoid.contains("PlayStation"))
        #expect(all.avoid.contains("falconry"))
    }

    @Test func `likes are served in the form of the love language`() {
        var one = reading
        one.likes = [Interest(.gardening), Interest("Falconry")]
        let all = one.read([])
        #expect(all.serves.contains("gardener visit"))
        #expect(all.serves.contains("falconry"))
    }
}

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

    private func expectTakenBack(_ older: String, by newer: String) {
        let all = reading.read([older, newer])
        #expect(all.hints.first?.strength == 0, "\(all.hints)")
        #expect(all.hints.first?.serves.isEmpty == true, "\(all.hints)")
        #expect(all.hints.last?.overrules == [HintID("hint-0")], "\(all.hints)")
    }
}

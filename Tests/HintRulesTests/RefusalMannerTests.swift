import KnotDomain
import Testing

@testable import HintRules

/// Refusals told by what somebody does: at table, with a gift, in the stalls.
@Suite struct RefusalMannerTests {
    private let reading = ReadingCase()

    @Test(arguments: [
        RefusedLine(text: "he picks the gherkins out of everything", refused: "gherkins"),
        RefusedLine(text: "she pushes the polenta to the edge of the plate", refused: "polenta"),
        RefusedLine(text: "leaves the beetroot on the side every time", refused: "beetroot"),
        RefusedLine(text: "He eats around the sultanas", refused: "sultanas"),
        RefusedLine(text: "gherkins she fishes out of every salad", refused: "gherkins"),
        RefusedLine(text: "sultanas he removes one by one", refused: "sultanas"),
        RefusedLine(text: "she scraped the marzipan off the cake", refused: "marzipan"),
        RefusedLine(text: "he took one bite of the polenta and passed me the plate", refused: "polenta"),
        RefusedLine(text: "she sends back anything with beetroot", refused: "beetroot"),
        RefusedLine(text: "beetroot tastes of mud to him", refused: "beetroot"),
        RefusedLine(text: "he'll no touch the gherkins", refused: "gherkins"),
    ])
    func `at table`(_ line: RefusedLine) throws { try expectRefused(line) }

    @Test(arguments: [
        RefusedLine(text: "she gave the harmonium to her sister", refused: "harmonium"),
        RefusedLine(text: "the massage gun has never left its box", refused: "massage gun"),
        RefusedLine(text: "the harmonium is still in its box from two birthdays ago", refused: "harmonium"),
        RefusedLine(text: "brooches stay in the drawer, she never wears any", refused: "brooches"),
        RefusedLine(text: "the last thing he needs is another trampoline", refused: "trampoline"),
        RefusedLine(text: "can live without another harp", refused: "harp"),
        RefusedLine(text: "never another trampoline, she said in the taxi", refused: "trampoline"),
        RefusedLine(text: "he pretends to like my mother's marzipan", refused: "marzipan"),
        RefusedLine(text: "she won't have begonias in the house", refused: "begonias"),
        RefusedLine(text: "he owns every harmonium already", refused: "harmonium"),
        RefusedLine(text: "he would take it as a hint if I bought a trampoline", refused: "trampoline"),
        RefusedLine(text: "she said a harp would be an insult", refused: "harp"),
        RefusedLine(text: "his worst gift ever was the harmonium", refused: "harmonium"),
        RefusedLine(text: "she never forgave me for the trampoline", refused: "trampoline"),
        RefusedLine(text: "the harp as a birthday present did not go down well", refused: "harp"),
        RefusedLine(text: "his harmonium is a doorstop now", refused: "harmonium"),
        RefusedLine(text: "we let the operetta subscription lapse", refused: "operetta subscription"),
        RefusedLine(text: "please nothing engraved", refused: "engraved"),
    ])
    func `with gifts`(_ line: RefusedLine) throws { try expectRefused(line) }

    @Test(arguments: [
        RefusedLine(text: "falconry? over her dead body", refused: "falconry"),
        RefusedLine(text: "he says falconry is for other people", refused: "falconry"),
        RefusedLine(text: "she walked out of the operetta at the interval", refused: "operetta"),
        RefusedLine(text: "operettas put him to sleep", refused: "operettas"),
        RefusedLine(text: "trampolines turn her green", refused: "trampolines"),
        RefusedLine(text: "that operetta was hell, he says", refused: "operetta"),
        RefusedLine(text: "falconry is my thing, not hers", refused: "falconry"),
        RefusedLine(text: "she laughed at the idea of falconry", refused: "falconry"),
        RefusedLine(text: "he turned down free tickets to the operetta", refused: "operetta"),
        RefusedLine(text: "she begged me never to hire a harpist again", refused: "harpist"),
        RefusedLine(text: "he only tolerates operettas because of me", refused: "operettas"),
        RefusedLine(text: "trampolines? not since the ferry", refused: "trampolines"),
        RefusedLine(text: "falconry sounds exhausting, his words", refused: "falconry"),
        RefusedLine(text: "she fell asleep during the operetta", refused: "operetta"),
        RefusedLine(text: "falconry is where he draws the line", refused: "falconry"),
        RefusedLine(text: "once was enough for the ghost tour", refused: "ghost tour"),
        RefusedLine(text: "he made a face at the harp", refused: "harp"),
        RefusedLine(text: "falconry: absolutely never", refused: "falconry"),
        RefusedLine(text: "his idea of hell is a trampoline", refused: "trampoline"),
        RefusedLine(text: "she considers falconry a waste of feathers", refused: "falconry"),
    ])
    func `on the way and in the stalls`(_ line: RefusedLine) throws { try expectRefused(line) }

    @Test(arguments: [
        RefusedLine(text: "he bought himself a harmonium on Friday", refused: "harmonium"),
        RefusedLine(text: "she treated herself to the trampoline", refused: "trampoline"),
        RefusedLine(text: "he got a harp from his brother last month", refused: "harp"),
        RefusedLine(text: "her aunt is giving her the brooch", refused: "brooch"),
        RefusedLine(text: "we just got the harmonium", refused: "harmonium"),
        RefusedLine(text: "the trampoline came with the house", refused: "trampoline"),
        RefusedLine(text: "been there done that with falconry", refused: "falconry"),
        RefusedLine(text: "we have a waffle iron we never use", refused: "waffle iron"),
    ])
    func `what somebody has by now is not for giving`(_ line: RefusedLine) throws { try expectRefused(line) }

    @Test(arguments: [
        "took one bite of the polenta and never looked back",
        "he picks begonias out of the garden for her mother",
        "she pushes the boat to the edge of the lake every Sunday",
        "he turned the harmonium into a lamp",
        "she walked out of the museum at closing time beaming",
        "the tent is still in its box, she can't wait for June",
        "we never go dancing any more, not since the kids",
        "he never leaves the house without his harmonica",
        "she gave the old lens to her nephew and now wants a proper one",
        "she loves that tea, got it from her boss", "her old chair kills her back",
        "he got a harp from his brother and wants lessons", "the choir is chipping in for a harp for its conductor",
    ])
    func `the same words may tell of joy or of need`(_ text: String) throws {
        #expect(try #require(reading.read(text)).stance != .avoids, "\(text)")
    }

    private func expectRefused(_ line: RefusedLine) throws {
        let hint = try #require(reading.read(line.text))
        #expect(hint.stance == .avoids, "\(line.text)")
        #expect(hint.avoid.contains { $0.lowercased().contains(line.refused) }, "\(line.text): \(hint.avoid)")
    }
}

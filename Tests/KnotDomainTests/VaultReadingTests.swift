import JSONDocument
import KnotDomain
import Testing

@Suite struct VaultReadingTests {
    private let known: Set<HintID> = [HintID("h1"), HintID("h2")]
    private static let text = #"""
        {"schema":"knot.reading/1","hints":[{"hint_id":"h1","about":"partner","stance":"needs","strength":0.5,
        "serves":["lined gloves"],"avoid":[],"overrules":["h2"],"limits":["cold hands"]}],
        "vault_avoid":["roses"],"vault_serves":["warmth"]}
        """#

    private func read(_ text: String) throws -> (reading: VaultReading?, paths: [String]) {
        let reader = JSONReader(try JSONParser.parse(text))
        let reading = VaultReading(reading: reader, knownHints: known)
        return (reading, reader.problems.list.map(\.path))
    }

    @Test func `notes unknown and doubled hints and bad values at their paths`() throws {
        let result = try read(
            #"""
            {"schema":"knot.reading/1","hints":[
            {"hint_id":"h9","about":"dog","stance":"hates","strength":1.01,"serves":"x","overrules":["h8"]},
            {"hint_id":"h1","about":"user","stance":"fact","strength":0},
            {"hint_id":"h1","about":"user","stance":"fact","strength":-0.1,"limits":[" "]}],"vault_avoid":[4]}
            """#
        )
        #expect(result.reading == nil)
        #expect(
            Set(result.paths) == [
                "$.hints[0].hint_id", "$.hints[0].about", "$.hints[0].stance", "$.hints[0].strength",
                "$.hints[0].serves", "$.hints[0].overrules[0]", "$.hints[2].hint_id", "$.hints[2].strength",
                "$.hints[2].limits[0]", "$.vault_avoid[0]",
            ]
        )
        #expect(try read("{}").paths == ["$.schema", "$.hints"])
        #expect(try read("[]").reading == nil)
    }

    private func document(_ count: Int, in list: String) -> String {
        let phrases = (0..<count).map { "\"phrase \($0)\"" }.joined(separator: ",")
        return Self.text.replacing("\"\(list)\":[\"", with: "\"\(list)\":[\(phrases),\"")
    }

    @Test(arguments: ["serves", "limits", "vault_avoid", "vault_serves"])
    func `keeps every phrase up to the limit, and refuses a list that is longer`(list: String) throws {
        let most = TextLimit.listItems
        let reading = try #require(try read(document(most - 1, in: list)).reading)
        let hint = try #require(reading.hints.first)
        #expect([hint.serves, hint.limits, reading.avoid, reading.serves].map(\.count).max() == most)
        let longer = try read(document(most, in: list))
        #expect(longer.reading == nil)
        #expect(longer.paths == [list.hasPrefix("vault") ? "$.\(list)" : "$.hints[0].\(list)"])
    }

    @Test func `keeps the sixty-fifth phrase to avoid`() throws {
        let reading = try #require(try read(document(64, in: "vault_avoid")).reading)
        #expect(reading.avoid.count == 65 && reading.avoid.last == "roses")
    }

    @Test func `refuses a phrase that is too long instead of cutting it`() throws {
        let long = String(repeating: "cold ", count: TextLimit.phrase / 5 + 1) + "hands"
        let result = try read(Self.text.replacing("cold hands", with: long))
        #expect(result.reading == nil && result.paths == ["$.hints[0].limits[0]"])
    }

    @Test func `reads a reading, and writes it back as it was`() throws {
        let result = try read(Self.text)
        let reading = try #require(result.reading)
        #expect(reading.hints.first?.overrules == [HintID("h2")])
        #expect(reading.json == (try JSONParser.parse(Self.text)))
    }
}

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

    @Test func `bounds the lists without complaint`() throws {
        let phrases = (0..<500).map { "\"phrase \($0)\"" }.joined(separator: ",")
        let result = try read(#"{"schema":"knot.reading/1","hints":[],"vault_serves":[\#(phrases)]}"#)
        #expect(try #require(result.reading).serves.count == TextLimit.listItems)
    }

    @Test func `reads a reading, and writes it back as it was`() throws {
        let result = try read(Self.text)
        let reading = try #require(result.reading)
        #expect(reading.hints.first?.overrules == [HintID("h2")])
        #expect(reading.json == (try JSONParser.parse(Self.text)))
    }
}

import JSONDocument
import Testing

@Suite struct `Text in JSON` {
    @Test(arguments: [
        (#"{"a": "x\ud800y"}"#, 9), (#"{"a": "\udc00"}"#, 8), (#"{"a": "\ud83d\ud83d"}"#, 8),
        (#"{"a": "\uD83Dx"}"#, 8), (#"{"a": "\ud800"}"#, 8), (#"{"\udfff": 1}"#, 3), (#"["\udc00\ud800"]"#, 3),
    ])
    func `holds no half of a surrogate pair`(text: String, column: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
        #expect(error?.line == 1 && error?.column == column)
        #expect(error?.message.contains("surrogate") == true)
    }

    @Test(arguments: [#""\ud83c\udf81""#, #""\uD83C\uDF81""#, "\"🎁\""]) func `takes a whole pair for what it is`(
        text: String
    ) throws {
        #expect(try JSONParser.parse(text).string == "🎁")
    }

    @Test func `says a range in words`() {
        let low = JSONReader(-1.0)
        #expect(low.double(in: 0.0...Double.greatestFiniteMagnitude) == nil)
        #expect(low.problems.list.first?.message == "-1.0 is not 0.0 or more")
        let wide = JSONReader(9)
        #expect(wide.int(in: 1...3) == nil)
        #expect(wide.problems.list.first?.message == "9 is not from 1 to 3")
        let open = JSONReader(-1)
        #expect(open.int(in: 0...Int.max) == nil)
        #expect(open.problems.list.first?.message == "-1 is not 0 or more")
    }
}

import Testing

@testable import JSONDocument

@Suite("A reply in JSON")
struct JSONReplyTests {
    private static func shown(_ text: [UInt8]) throws -> (String, isWhole: Bool) {
        let reply = try JSONReply(text)
        return (JSONWriter.text(reply.value), reply.isWhole)
    }

    private static func shown(_ text: String) throws -> (String, isWhole: Bool) { try shown(Array(text.utf8)) }

    @Test(arguments: [
        #"{"a":[1,2.50,"x"],"b":{"c":null}}"#, #"[]"#, #"{"list":[{"a":[{"b":1}]}]}"#, #""text""#,
    ])
    func `is read as a document is where it is whole`(text: String) throws {
        let reply = try JSONReply(Array(text.utf8))
        #expect(reply.isWhole)
        #expect(JSONWriter.text(reply.value) == text.replacing("2.50", with: #""2.50""#))
    }

    /// Each with what is left of it.
    @Test(arguments: [
        (#"{"n":3,"list":[{"a":1},{"a":1x},{"a":3}]}"#, #"{"n":3,"list":[{"a":1},{"a":3}]}"#),
        (#"{"list":[{"a":1},{"a":2,"a":3},{"a":4}],"n":3}"#, #"{"list":[{"a":1},{"a":4}],"n":3}"#),
        (#"{"list":[{"a":1} {"a":2},{"a":3}]}"#, #"{"list":[{"a":1},{"a":3}]}"#),
        (#"{"list":[{"a":1},{"a":2,{"a":3}],"n":3}"#, #"{"list":[{"a":1}],"n":3}"#),
        (#"{"list":[{"a":1},{"a":2},{"a":"cut o"#, #"{"list":[{"a":1},{"a":2}]}"#),
        (#"{"list":[{"a":1},{"a":2}"#, #"{"list":[{"a":1},{"a":2}]}"#),
        (#"{"list":[1,]}"#, #"{"list":[1]}"#), (#"{"n":oops,"list":[1]}"#, #"{"list":[1]}"#),
        (#"{"list":[1]}<!-- cached -->"#, #"{"list":[1]}"#),
        (#"{"list":["a\q","b\u12","c"]}"#, #"{"list":["a�q","b�12","c"]}"#),
    ])
    func `is taken as far as it is whole, and says that it is not`(text: String, rest: String) throws {
        let (shown, isWhole) = try Self.shown(text)
        #expect(shown == rest)
        #expect(!isWhole)
    }

    @Test func `loses no item for a byte that is no text`() throws {
        let text = Array(#"{"list":[{"a":"caf"#.utf8) + [0xE9] + Array(#""},{"a":"b"}]}"#.utf8)
        let (shown, isWhole) = try Self.shown(text)
        #expect(shown == #"{"list":[{"a":"caf�"},{"a":"b"}]}"# && !isWhole)
        #expect(try Self.shown("{\"list\":[\"a\u{9}b\"]}") == (#"{"list":["a\tb"]}"#, true))
    }

    @Test(arguments: [
        "", "<html>", #"{"list":["#, #"{"list":[{"a":"cut o"#, #"{"error":{"code":"x"#, #"{"a":1}{"#, "{oops}", "[x,y]",
        "nul",
    ])
    func `is none where nothing of it is whole`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONReply(Array(text.utf8)) }
    }

    @Test func `has no more than five thousand items in a list`() throws {
        func list(_ count: Int) -> [UInt8] {
            Array("[\(Array(repeating: "1", count: count).joined(separator: ","))]".utf8)
        }
        #expect(try JSONReply(list(5_000)).isWhole)
        let longer = try JSONReply(Array(#"{"a":[{"b":"#.utf8) + list(6_000) + Array(#"},2],"c":3}"#.utf8))
        #expect(longer.value["a"]?.array?[0]["b"]?.array?.count == 5_000 && !longer.isWhole)
        #expect(longer.value["a"]?.array?[1] == 2 && longer.value["c"] == 3)
    }

    @Test func `has no more values than any service sends`() throws {
        let inner = "[" + Array(repeating: "[1]", count: 4_000).joined(separator: ",") + "]"
        let reply = try JSONReply(Array("[\(Array(repeating: inner, count: 200).joined(separator: ","))]".utf8))
        #expect(!reply.isWhole)
        #expect((8...16).contains(reply.value.array?.count ?? 0))
    }

    @Test func `is read until its time is over`() throws {
        let text = "[" + Array(repeating: #"{"a":[1,2,3]}"#, count: 4_000).joined(separator: ",") + "]"
        let late = try JSONReply(Array(text.utf8), by: .now)
        #expect(!late.isWhole && late.value.array.map { $0.count < 1_000 } == true)
        #expect(try JSONReply(Array(text.utf8), by: .now + .seconds(600)).isWhole)
    }
}

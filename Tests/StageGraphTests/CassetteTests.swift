import JSONDocument
import Testing

@testable import StageGraph

@Suite struct `A cassette` {
    private static let cassette = Cassette(
        plan: ["name": "p"],
        request: ["vault": "v"],
        seed: .max,
        effects: [
            RecordedEffect(kind: "search", node: "a", key: ["q": "wool"], answer: .value(["hits": [1, 2]])),
            RecordedEffect(
                kind: "search",
                node: "b",
                key: ["q": "clay"],
                answer: .failure(StageFailure(.provider, code: "http_503", "down"))
            ),
            RecordedEffect(
                kind: "search",
                node: "c",
                key: ["q": "silk"],
                answer: .failure(StageFailure(.provider, code: "http_503", "down", isSettled: true, isLasting: true))
            ),
        ]
    )

    @Test func `reads back what it writes`() throws {
        #expect(try Cassette(ndjson: Self.cassette.ndjson()) == Self.cassette)
    }

    @Test func `is marked as private`() {
        #expect(String(decoding: Self.cassette.ndjson(), as: UTF8.self).contains("\"private\":true"))
    }

    @Test func `refuses every file that was cut short`() {
        let bytes = Self.cassette.ndjson()
        for length in 0..<bytes.count {
            #expect(throws: SealedLinesError.self, "\(length) of \(bytes.count) bytes") {
                try Cassette(ndjson: Array(bytes[..<length]))
            }
        }
    }

    @Test func `refuses every file with a byte changed`() {
        let bytes = Self.cassette.ndjson()
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: SealedLinesError.self, "byte \(place)") { try Cassette(ndjson: changed) }
        }
    }

    @Test func `tells torn from foreign`() throws {
        let bytes = Self.cassette.ndjson()
        let torn = try #require(throws: SealedLinesError.self) {
            try Cassette(ndjson: Array(bytes[..<(bytes.count - 40)]))
        }
        #expect(torn.code == .torn)
        let foreign = try #require(throws: SealedLinesError.self) { try Cassette(ndjson: Array("{\"a\":1}\n".utf8)) }
        #expect(foreign.code == .foreign)
    }
}

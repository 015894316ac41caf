import JSONDocument
import KnotDomain
import Testing

@Suite struct CandidateDecodingTests {
    static let text = #"""
        {"id":"c01","provider":"yelp","type":"date","title":"Tea","description":null,"url":"https://tea.example/?a=1#b",
        "image_url":null,"price_cents":4200,"currency":"USD","merchant":"Tea House",
        "location":{"city":"Macon","state":"GA","country":"US"},"starts_at":"2026-03-01T17:00:00Z","rating":4.6,
        "review_count":120,"ships_in_days":null,"tags":["tea rooms"]}
        """#

    private func changed(_ name: String, _ text: String) throws -> (candidate: Candidate?, paths: [String]) {
        var object = try #require(try JSONParser.parse(Self.text).object)
        object[name] = try JSONParser.parse(text)
        let reader = JSONReader(.object(object))
        let candidate = Candidate(reading: reader)
        return (candidate, reader.problems.list.map(\.path))
    }

    @Test(arguments: [
        ("id", #"" ""#), ("provider", #""e bay""#), ("type", #""trip""#), ("title", "null"),
        ("title", #""\u200b\u0007""#),
        ("url", #""javascript:alert(1)""#), ("url", #""http://""#), ("url", #""https:///x""#),
        ("url", #""//a.example""#),
        ("url", #""https://a.example/ x""#), ("url", #""https://a.example/\u202e""#), ("url", #""ftp://a.example""#),
        ("image_url", #""data:image/png;base64,AA""#), ("price_cents", "-1"), ("price_cents", "1.5"),
        ("price_cents", "9000000000000000000"), ("currency", #""$""#), ("starts_at", #""2026-03-01""#),
        ("rating", "-0.1"),
        ("rating", #""5""#), ("review_count", "-3"), ("ships_in_days", "-1"), ("ships_in_days", "9223372036854775807"),
        ("tags", #""tea""#), ("location", "[]"), ("description", "7"), ("merchant", "{}"),
    ])
    func `notes a broken field at its path`(name: String, text: String) throws {
        let result = try changed(name, text)
        #expect(result.candidate == nil)
        #expect(result.paths == ["$.\(name)"])
    }

    @Test func `reads a candidate, and writes it back as it was`() throws {
        let value = try JSONParser.parse(Self.text)
        let candidate = try #require(Candidate(reading: JSONReader(value)))
        #expect(candidate.priceCents == 4_200)
        #expect(candidate.json == value)
    }

    @Test func `refuses an id that is too long, for cut it might be another's, whatever cleaning drops`() throws {
        let id = String(repeating: "é", count: TextLimit.identifier / 2)
        #expect(try changed("id", JSONWriter.text(.string("  \(id)\u{200B}  "))).candidate?.id.text == id)
        let long = try changed("id", JSONWriter.text(.string(id + "1")))
        #expect(long.candidate == nil && long.paths == ["$.id"])
    }

    @Test func `cuts a title of a megabyte and takes an absurd rating for the best`() throws {
        let title = try changed("title", JSONWriter.text(.string(String(repeating: "ab ", count: 350_000))))
        #expect(try #require(title.candidate).title.utf8.count <= TextLimit.title)
        #expect(try #require(try changed("rating", "1e300").candidate).rating == 5)
    }

    @Test func `keeps the first of two with the same id and notes the other`() throws {
        let first = try JSONParser.parse(Self.text)
        let second = try #require(try changed("title", #""Coffee""#).candidate).json
        let reader = JSONReader(.array([first, second, first]))
        let list = CandidateList(reading: reader)
        #expect(reader.problems.list.isEmpty)
        #expect(list.candidates.map(\.title) == ["Tea"])
        #expect(list.duplicates == [CandidateID("c01"), CandidateID("c01")])
    }

    @Test func `ids that look the same and differ in their bytes are two, in a fixed order`() {
        let whole = CandidateID("caf\u{E9}")
        let parts = CandidateID("cafe\u{301}")
        #expect(whole != parts && Set([whole, parts, whole]).count == 2)
        #expect([whole, parts].sorted() == [parts, whole].sorted() && (whole < parts) != (parts < whole))
    }
}

import JSONDocument
import KnotDomain
import Testing

@Suite struct VaultDecodingTests {
    /// A whole vault; tests break one part of it at a time.
    static let text = #"""
        {"id":"9aab66c8-6461-4523-93b3-2600f073736b",
        "user_id":"0966fb3a-9fac-4aac-a2f3-fd8a13c11ec2","partner_name":"P",
        "relationship_tenure_months":30,"cohabitation_status":"separate",
        "location":{"city":"Leeds","state":null,"country":"GB"},"timezone":"Europe/London",
        "likes":["Hiking","Sea glass"],"dislikes":["Wine"],"vibes":["vintage","romantic"],
        "budgets":{"just_because":{"min_cents":0,"max_cents":5000,"currency":"GBP"},
        "minor_occasion":{"min_cents":5000,"max_cents":5000,"currency":"GBP"},
        "major_milestone":{"min_cents":10000,"max_cents":50000,"currency":"GBP"}},
        "love_languages":{"primary":"quality_time","secondary":"acts_of_service"},
        "milestones":[{"id":"641ca0b4-0feb-4f71-a098-f9e8cdbca9eb","type":"birthday","name":"Birthday",
        "date":"2000-02-29","recurrence":"yearly","budget_tier":"major_milestone"}],
        "hints":[{"id":"0d54cab9-866f-4ac1-b98e-0b3b42e7ad8e","text":"cold hands","source":"text_input",
        "created_at":"2025-08-17T22:41:00Z","is_used":false}],
        "history":[{"title":"Scarf","type":"gift","merchant":null,"url":"https://a.example/s","price_cents":900,
        "at":"2025-01-01T00:00:00Z","feedback":[{"action":"rated","rating":5,"reason":null}]}]}
        """#

    private func read(_ value: JSONValue) -> (vault: Vault?, paths: [String]) {
        let reader = JSONReader(value)
        let vault = Vault(reading: reader)
        return (vault, reader.problems.list.map(\.path))
    }

    private func changed(_ name: String, _ text: String) throws -> (vault: Vault?, paths: [String]) {
        var object = try #require(try JSONParser.parse(Self.text).object)
        object[name] = try JSONParser.parse(text)
        return read(.object(object))
    }

    @Test(arguments: [
        ("id", "7", ["$.id"]), ("id", #""vault-1""#, ["$.id"]), ("partner_name", #"" \u0000 ""#, ["$.partner_name"]),
        ("relationship_tenure_months", "-1", ["$.relationship_tenure_months"]),
        ("cohabitation_status", #""married""#, ["$.cohabitation_status"]),
        ("location", #""Leeds""#, ["$.location"]), ("location", #"{"country":"England"}"#, ["$.location.country"]),
        ("likes", "null", ["$.likes"]),
        ("likes", #"["Wine"]"#, ["$.dislikes[0]"]),
        ("likes", #"["Hiking","hiking",3,""]"#, ["$.likes[1]", "$.likes[2]", "$.likes[3]"]),
        ("dislikes", #"["hiking"]"#, ["$.dislikes[0]"]), ("vibes", "[]", ["$.vibes"]),
        ("vibes", #"["vintage","vintage","goth"]"#, ["$.vibes[1]", "$.vibes[2]"]),
        (
            "budgets", #"{"just_because":{"min_cents":9,"max_cents":5,"currency":"GBP"}}"#,
            ["$.budgets.just_because", "$.budgets.minor_occasion", "$.budgets.major_milestone"]
        ),
        ("love_languages", #"{"primary":"quality_time","secondary":"quality_time"}"#, ["$.love_languages.secondary"]),
        (
            "milestones",
            #"[{"id":"x","type":"b","name":"","date":"2001-02-29","recurrence":"daily","budget_tier":"huge"}]"#,
            ["id", "type", "name", "date", "recurrence", "budget_tier"].map { "$.milestones[0].\($0)" }
        ),
        (
            "hints", #"[{"id":"x","text":"\n","source":"dream","created_at":"today","is_used":1}]"#,
            ["id", "text", "source", "created_at", "is_used"].map { "$.hints[0].\($0)" }
        ),
        (
            "history",
            #"[{"title":"x","type":"gift","price_cents":-1,"at":"2025-01-01T00:00:00Z","#
                + #""feedback":[{"action":"rated","rating":6}]}]"#,
            ["$.history[0].price_cents", "$.history[0].feedback[0].rating"]
        ),
    ])
    func `notes each broken field at its path`(name: String, text: String, paths: [String]) throws {
        let result = try changed(name, text)
        #expect(result.vault == nil)
        #expect(result.paths == paths)
    }

    @Test func `notes all problems of all fields at once`() throws {
        let result = read(try JSONParser.parse(#"{"id":1,"vibes":["x"],"budgets":[],"hints":{}}"#))
        #expect(result.vault == nil)
        #expect(
            Set(result.paths).isSuperset(of: ["$.id", "$.user_id", "$.vibes[0]", "$.budgets", "$.hints", "$.likes"])
        )
        for value in [JSONValue.null, 3, [], "x"] { #expect(read(value).vault == nil) }
    }

    @Test func `refuses a negative budget`() throws {
        var object = try #require(try JSONParser.parse(Self.text)["budgets"]?.object)
        object["minor_occasion"] = ["min_cents": -5, "max_cents": 10, "currency": "GBP"]
        let result = try changed("budgets", JSONWriter.text(.object(object)))
        #expect(result.paths == ["$.budgets.minor_occasion.min_cents"])
    }

    @Test(arguments: [(500, true), (501, false), (1_000_000, false)])
    func `takes hints of up to five hundred characters`(count: Int, isTaken: Bool) throws {
        let hint = try #require(try JSONParser.parse(Self.text)["hints"]?.array?.first?.object)
        var changedHint = hint
        changedHint["text"] = .string(String(repeating: "日", count: count))
        let result = try changed("hints", JSONWriter.text(.array([.object(changedHint)])))
        #expect((result.vault != nil) == isTaken)
        #expect(result.paths == (isTaken ? [] : ["$.hints[0].text"]))
        let twice = try changed("hints", JSONWriter.text(.array([.object(hint), .object(hint)])))
        #expect(twice.paths == ["$.hints[1].id"])
    }

    @Test func `reads a whole vault, and writes it back as it was`() throws {
        let value = try JSONParser.parse(Self.text)
        let result = read(value)
        let vault = try #require(result.vault)
        #expect(result.paths.isEmpty)
        #expect(vault.likes.map(\.name) == ["Hiking", "Sea glass"])
        #expect(vault.likes.map(\.known) == [.hiking, nil])
        #expect(vault.location?.country == "GB")
        #expect(vault.budgets[.minorOccasion]?.contains(5_000) == true)
        #expect(vault.json == value)
    }

    @Test func `does without what may be unknown`() throws {
        var object = try #require(try JSONParser.parse(Self.text).object)
        for name in ["relationship_tenure_months", "cohabitation_status", "location", "milestones", "hints", "history"]
        {
            object[name] = nil
        }
        let vault = try #require(read(.object(object)).vault)
        #expect(vault.hints.isEmpty && vault.milestones.isEmpty && vault.history.isEmpty && vault.location == nil)
    }
}

import Fixtures
import JSONDocument
import KnotDomain
import Testing

@Suite struct FixtureTests {
    private static let milestone = "641ca0b4-0feb-4f71-a098-f9e8cdbca9eb"
    private static let vault = #"""
        {"id":"9aab66c8-6461-4523-93b3-2600f073736b",
        "user_id":"0966fb3a-9fac-4aac-a2f3-fd8a13c11ec2","partner_name":"P",
        "timezone":"Europe/London","likes":["Hiking"],"dislikes":["Wine"],"vibes":["vintage"],
        "budgets":{"just_because":{"min_cents":0,"max_cents":5000,"currency":"GBP"},
        "minor_occasion":{"min_cents":5000,"max_cents":5000,"currency":"GBP"},
        "major_milestone":{"min_cents":10000,"max_cents":50000,"currency":"GBP"}},
        "love_languages":{"primary":"quality_time","secondary":"acts_of_service"},
        "milestones":[{"id":"\#(milestone)","type":"birthday","name":"Birthday",
        "date":"2000-02-29","recurrence":"yearly","budget_tier":"major_milestone"}]}
        """#

    private func candidate(_ id: String, _ title: String = "Tea", more: String = "") -> String {
        #"{"id":"\#(id)","provider":"yelp","type":"date","title":"\#(title)","url":"https://a.example","#
            + #""currency":"GBP"\#(more)}"#
    }

    private func read(_ members: String, vault: String = Self.vault) throws -> (fixture: Fixture?, paths: [String]) {
        let comma = members.isEmpty ? "" : ","
        let text = #"{"schema":"knot.fixture/1","name":"n","vault":\#(vault)\#(comma)\#(members)}"#
        let reader = JSONReader(try JSONParser.parse(text))
        let fixture = Fixture(reading: reader)
        return (fixture, reader.problems.list.map(\.path))
    }

    @Test(arguments: [
        (#""request":{"milestone_id":"nobody"}"#, ["$.request.milestone_id"]), (#""request":{}"#, ["$.request"]),
        (#""request":{"occasion":"christmas"}"#, ["$.request.occasion"]), (#""request":[]"#, ["$.request"]),
        (#""request":{"occasion":"just_because","milestone_id":"\#(milestone)"}"#, ["$.request"]),
        (#""as_of":"yesterday""#, ["$.as_of"]), (#""candidates":{}"#, ["$.candidates"]),
        (#""judgments":[{"candidate_id":"c1","grade":1}]"#, ["$.judgments[0].candidate_id"]),
    ])
    func `notes what is wrong around the vault`(members: String, paths: [String]) throws {
        let result = try read(members)
        #expect(result.fixture == nil)
        #expect(result.paths == paths)
    }

    @Test func `notes bad checks, prices, grades and doubled judgments`() throws {
        let one = candidate("c1", more: #","check":"lost","checked_price_cents":-1"#)
        let judgments =
            #"{"candidate_id":"c1","grade":4},{"candidate_id":"c2","grade":1,"forbidden":true},{"candidate_id":"c2","grade":1},{"candidate_id":"c2","grade":0}"#
        let result = try read(#""candidates":[\#(one),\#(candidate("c2"))],"judgments":[\#(judgments)]"#)
        #expect(
            result.paths == [
                "$.candidates[0].check", "$.candidates[0].checked_price_cents", "$.judgments[0].grade",
                "$.judgments[1].grade", "$.judgments[3].candidate_id",
            ]
        )
        let broken = try read("", vault: "{}")
        #expect(broken.fixture == nil && broken.paths.allSatisfy { $0.hasPrefix("$.vault.") })
    }

    @Test func `takes the smallest fixture: no pool, no judgments, no request`() throws {
        let fixture = try #require(try read("").fixture)
        #expect(fixture.candidates.isEmpty && fixture.judgments == nil && fixture.request == nil && fixture.asOf == nil)
        #expect(try #require(try read(#""candidates":[]"#).fixture).candidates.isEmpty)
    }

    @Test func `keeps the first of two candidates with the same id, with its own fact`() throws {
        let first = candidate("c1", "First", more: #","check":"price_changed","checked_price_cents":null"#)
        let second = candidate("c1", "Second", more: #","check":"gone""#)
        let fixture = try #require(try read(#""candidates":[\#(first),\#(second)]"#).fixture)
        #expect(fixture.candidates.map(\.title) == ["First"])
        #expect(fixture.duplicateCandidates == [CandidateID("c1")])
        #expect(fixture.facts[CandidateID("c1")] == AvailabilityFact(check: .priceChanged, checkedPriceCents: nil))
    }

    @Test(arguments: [
        ("available", 200), ("sold_out", 200), ("closed", 200), ("gone", 404), ("blocked", 403), ("price_changed", 200),
    ])
    func `gives each check its status`(check: String, status: Int) throws {
        let fixture = try #require(
            try read(#""candidates":[\#(candidate("c1", more: #","check":"\#(check)""#))]"#).fixture
        )
        #expect(fixture.facts[CandidateID("c1")]?.httpStatus == status)
    }

    @Test func `reads both kinds of request`() throws {
        #expect(
            try read(#""request":{"milestone_id":"\#(Self.milestone)"}"#).fixture?.request
                == .milestone(MilestoneID(Self.milestone))
        )
        #expect(try read(#""request":{"occasion":"minor_occasion"}"#).fixture?.request == .occasion(.minorOccasion))
    }
}

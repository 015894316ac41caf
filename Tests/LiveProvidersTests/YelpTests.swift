import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import Testing

@Suite("Yelp's adapter")
struct YelpTests {
    @Test func `makes a business a candidate without a price and with its own link`() async throws {
        let found = try await Adapters.yelp(ScriptedSender(Replies.yelp)).candidates(for: .invented(.yelp))
        let studio = try #require(found.first)
        #expect(found.count == 1, "what is closed for good is not there")
        #expect(studio.id == CandidateID("yelp:Zq3mK0c9aLr2VtY8xPw1Ng"))
        #expect(studio.type == .experience)
        #expect(studio.title == "Copper Kettle Cooking Studio" && studio.description == "Cooking Classes")
        #expect(studio.url == "https://www.yelp.com/biz/copper-kettle?adjust_creative=CLIENT&utm_campaign=yelp_api_v3")
        #expect(studio.priceCents == nil && studio.currency == .usd)
        #expect(studio.location == Place(city: "San Francisco", state: "CA", country: "US"))
        #expect(studio.rating == 4.6 && studio.reviewCount == 214 && studio.tags == ["Cooking Classes"])
    }

    @Test func `that finds nothing may say so without a list`() async throws {
        for nothing in [#"{"total":0,"businesses":null}"#, #"{"total":0}"#, #"{"total":0,"businesses":[]}"#] {
            #expect(try await Adapters.yelp(ScriptedSender(nothing)).candidates(for: .invented(.yelp)).isEmpty)
        }
        await #expect(throws: (any Error).self) {
            _ = try await Adapters.yelp(ScriptedSender(#"{"total":3}"#)).candidates(for: .invented(.yelp))
        }
    }

    /// Such a link leads elsewhere than it says, whoever reads it.
    @Test(arguments: ["https://www.yelp.com@elsewhere.example/biz", "https://www.yelp.com\\\\@elsewhere.example/biz"])
    func `leaves out what has a user before the host of its link`(link: String) async throws {
        let page = Replies.yelp.replacing("https://www.yelp.com/biz", with: link)
        #expect(page != Replies.yelp)
        #expect(try await Adapters.yelp(ScriptedSender(page)).candidates(for: .invented(.yelp)).isEmpty)
    }

    @Test func `asks once by categories and a few times by words, in the town and its English`() throws {
        let query = ProviderQuery.invented(
            .yelp,
            ["gin tasting", "cooking", "wine", "yoga", "a", "b", "c", "d"],
            limit: 500
        )
        let calls = Adapters.yelp(ScriptedSender("")).calls(for: query)
        let urls = calls.map { $0.request.url }
        #expect(
            calls.map(\.asks) == [
                "businesses categories=cookingclasses,cookingschools,wineries,wine_bars,yoga location=San Francisco, CA, US",
                "businesses term=gin tasting location=San Francisco, CA, US",
                "businesses term=a location=San Francisco, CA, US", "businesses term=b location=San Francisco, CA, US",
            ]
        )
        #expect(urls.allSatisfy { $0.hasSuffix("&locale=en_US&limit=50") }, "more than 50 is refused and not cut")
        #expect(urls[1].contains("term=gin%20tasting&location=San%20Francisco%2C%20CA%2C%20US"))
    }

    @Test func `asks nothing where no town is known`() async throws {
        for place in [nil, Place(city: nil, state: nil, country: "US")] {
            let sender = ScriptedSender(Replies.yelp)
            #expect(try await Adapters.yelp(sender).candidates(for: .invented(.yelp, place: place)).isEmpty)
            #expect(sender.requests.isEmpty)
        }
    }

    @Test func `asks again by coordinates where the town is not found, and only once`() async throws {
        let refusal = #"{"error":{"code":"LOCATION_NOT_FOUND","description":"Could not execute search"}}"#
        let sender = ScriptedSender { request in
            request.url.contains("latitude=37.7") ? .json(Replies.yelp) : .json(refusal, status: 400)
        }
        let found = try await Adapters.yelp(sender).candidates(for: .invented(.yelp, ["tea"]))
        #expect(found.count == 1)
        #expect(sender.requests.count == 2)
        #expect(sender.requests.allSatisfy { $0.url.contains("term=tea") })

        let stubborn = ScriptedSender(refusal, status: 400)
        await #expect(throws: (any Error).self) {
            _ = try await Adapters.yelp(stubborn).candidates(for: .invented(.yelp, ["tea"]))
        }
        #expect(stubborn.requests.count == 2)
    }

    @Test func `takes nothing from a search somewhere else`() async throws {
        let elsewhere = Replies.yelp.replacing(#""latitude":37.7726"#, with: #""latitude":52.1"#)
        await #expect {
            _ = try await Adapters.yelp(ScriptedSender(elsewhere)).candidates(for: .invented(.yelp))
        } throws: {
            "\($0)".contains("wrong_place")
        }
    }

    @Test func `knows categories for every interest`() {
        for interest in KnownInterest.allCases {
            let calls = Adapters.yelp(ScriptedSender("")).calls(for: .invented(.yelp, [interest.rawValue]))
            #expect(calls.count == 1 && calls[0].asks.contains("categories="), "\(interest)")
        }
    }
}

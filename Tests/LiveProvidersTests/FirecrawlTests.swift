import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation
import Synchronization
import Testing
import Threads

@Suite("Firecrawl's adapter")
struct FirecrawlTests {
    private func found(_ text: String, types: [CandidateType] = [.experience]) async throws -> [Candidate] {
        try await Adapters.firecrawl(ScriptedSender(text)).candidates(
            for: .invented(.firecrawl, ["pottery"], types: types)
        )
    }

    /// A page that was read: its product, and what it says of place and time.
    private func page(
        product: String,
        json: String = "null",
        status: Int = 200,
        url: String = "https://www.kilnroom.example/kit"
    ) -> String {
        #"{"success":true,"data":{"web":[{"url":"\#(url)","title":"Kit","product":\#(product),"json":\#(json),"#
            + #""metadata":{"statusCode":\#(status),"url":"\#(url)","title":["Kit","Shop"],"ogSiteName":"Kiln Room"}}]}}"#
    }

    private let kit = """
        {"title":"Throwing Kit","url":"https://kilnroom.example/kit?x=1","description":"Clay and tools.","variants":[
        {"availability":{"inStock":true},"price":{"amount":49.9,"currency":"USD"}},
        {"availability":{"inStock":false},"price":{"amount":9.9,"currency":"USD"}},
        {"availability":{"inStock":true},"price":{"amount":39.95,"currency":"USD"}}]}
        """

    @Test func `takes a page that was only found without a price`() async throws {
        let lesson = try #require(try await found(Replies.firecrawl).first)
        #expect(lesson.title == "Wheel Throwing for Two" && lesson.type == .experience)
        #expect(lesson.priceCents == nil && lesson.merchant == "kilnroom.example" && lesson.startsAt == nil)
        #expect(lesson.url == "https://kilnroom.example/classes/wheel-throwing")
    }

    @Test func `takes the cheapest thing in stock of a page that was read`() async throws {
        let item = try #require(try await found(page(product: kit)).first)
        #expect(item.title == "Throwing Kit" && item.priceCents == 3_995 && item.merchant == "Kiln Room")
        #expect(item.url == "https://kilnroom.example/kit?x=1", "the same site, with or without www")
    }

    @Test func `believes no link to another site, no price without its currency, and no page that failed`() async throws
    {
        let other = kit.replacing("https://kilnroom.example", with: "https://evil.example")
        #expect(try await found(page(product: other)).first?.url == "https://www.kilnroom.example/kit")
        let bare = kit.replacing(#","currency":"USD""#, with: "")
        #expect(try await found(page(product: bare)).first?.priceCents == nil)
        for status in [403, 404, 500] { #expect(try await found(page(product: kit, status: status)).isEmpty) }
        let gone = kit.replacing(#""inStock":true"#, with: #""inStock":false"#)
        #expect(try await found(page(product: gone)).isEmpty)
    }

    @Test func `takes place and time from what a page says, if it is a place and a time`() async throws {
        let said = #"{"city":"Oakland","region":"CA","country":"US","starts_at":"2026-12-05T19:00:00-08:00"}"#
        let item = try #require(try await found(page(product: kit, json: said)).first)
        #expect(item.location == Place(city: "Oakland", state: "CA", country: "US"))
        #expect(item.startsAt == Instant(iso8601: "2026-12-06T03:00:00Z"))
        let nonsense = #"{"city":"  ","country":"United States","starts_at":"next Friday"}"#
        let other = try #require(try await found(page(product: kit, json: nonsense)).first)
        #expect(other.location == nil && other.startsAt == nil)
    }

    /// No filter of days and places would see it as a present.
    @Test(arguments: [
        #"{"city":"Paris","country":"FR"}"#, #"{"starts_at":"2026-12-05T19:00:00-08:00"}"#,
        #"{"starts_at":"2024-12-05"}"#,
        #"{"starts_at":"2026-12-05","delivery_days":3}"#,
    ])
    func `makes no present of what takes place somewhere or some day`(said: String) async throws {
        #expect(try await found(page(product: kit, json: said), types: [.gift]).isEmpty)
        let sent = [#"{"city":"Paris","delivery_days":3}"#, #"{"starts_at":"soon"}"#, #"{"city":" ","country":"FR"}"#]
        for said in sent {
            let present = try await found(page(product: kit, json: said), types: [.gift])
            #expect(present.map(\.location) == [nil], "\(said)")
        }
    }

    /// A date, or a time by clocks that are not named, is no moment, and it is a day all the same.
    @Test(
        arguments: [
            ("2026-12-05", "On 2026-12-05, time to be announced"), ("2026-12-05T19:30", "On 2026-12-05 at 19:30"),
            ("2026-12-05 19:30:00", "On 2026-12-05 at 19:30"), ("2026-11-23", "On 2026-11-23, time to be announced"),
            ("2026-11-21", nil), ("2024-12-05T19:30", nil), ("2026-12-25", nil),
        ] as [(String, String?)]
    )
    func `takes what is on a day without a moment, unless that is over or too late`(
        said: String,
        words: String?
    ) async throws {
        let sender = ScriptedSender(page(product: kit, json: #"{"starts_at":"\#(said)"}"#))
        let query = ProviderQuery(
            provider: .firecrawl,
            phrases: ["clay"],
            types: [.experience],
            budget: nil,
            place: nil,
            until: CivilDate(year: 2026, month: 12, day: 24),
            limit: 10,
            asOf: Adapters.now
        )
        let found = try await Adapters.firecrawl(sender).candidates(for: query)
        #expect(found.map(\.description) == [words].compactMap { $0 }.map { "\($0). Clay and tools." })
        #expect(found.allSatisfy { $0.startsAt == nil })
    }

    @Test func `takes days of delivery and stars from what a page says, if they can be that`() async throws {
        let said = #"{"delivery_days":6,"rating":4.5,"review_count":"31"}"#
        let item = try #require(try await found(page(product: kit, json: said), types: [.gift]).first)
        #expect(item.shipsInDays == 6 && item.rating == 4.5 && item.reviewCount == 31)
        let nonsense = #"{"delivery_days":-2,"rating":98,"review_count":31}"#
        let other = try #require(try await found(page(product: kit, json: nonsense), types: [.gift]).first)
        #expect(other.shipsInDays == nil && other.rating == nil && other.reviewCount == nil)
        let reading = Adapters.firecrawl(ScriptedSender(""), readsPages: true).calls(for: .invented(.firecrawl))
        #expect(reading.allSatisfy { $0.request.sent.contains("delivery_days") })
    }

    @Test func `asks once for each kind, by different words, and says where only for what happens somewhere`() {
        let calls = Adapters.firecrawl(ScriptedSender("")).calls(for: .invented(.firecrawl, ["clay", "tea"]))
        #expect(calls.map(\.type) == [.gift, .experience, .date])
        #expect(
            calls.map(\.asks) == [
                "gifts query=clay buy gift", "experiences query=tea class or experience in San Francisco",
                "dates query=clay for two, evening in San Francisco",
            ]
        )
        #expect(!calls[0].request.sent.contains("San Francisco"))
        #expect(calls[1].request.sent.contains(#""location":"San Francisco,CA,US""#))
        #expect(calls.allSatisfy { $0.cost == 2 && !$0.request.sent.contains("scrapeOptions") })
        let reading = Adapters.firecrawl(ScriptedSender(""), readsPages: true).calls(for: .invented(.firecrawl))
        #expect(reading.allSatisfy { $0.cost == 52 && $0.request.sent.contains(#""maxAge":0"#) })
    }

    /// 408 is asked again once, as the sheet says, and with more time than it had.
    @Test(arguments: [false, true])
    func `asks once more, for longer, where the service ran out of time`(readsPages: Bool) async throws {
        func times(_ answers: [Int]) async throws -> (status: Int, timeouts: [Int]) {
            let left = Mutex(answers)
            let sender = ScriptedSender { _ in
                .json(Replies.firecrawl, status: left.withLock { $0.isEmpty ? 200 : $0.removeFirst() })
            }
            let adapter = Adapters.firecrawl(sender, readsPages: readsPages)
            let channel = ServiceConduct(adapter, account: "a").channel(
                over: sender,
                quota: nil,
                timers: DeadlineTimers()
            )
            let call = try #require(adapter.calls(for: .invented(.firecrawl, ["clay"])).first)
            let reply = try await channel.send(call.request, by: .now + .seconds(1_200))
            let timeouts = try sender.requests.map { request in
                try #require(try JSONParser.parse(request.body ?? [])["timeout"]?.int)
            }
            // Nothing else of what is asked has changed.
            for request in sender.requests { #expect(request.sent.contains("clay buy gift")) }
            return (reply.status, timeouts)
        }
        let (first, longer) = readsPages ? (10_000, 11_700) : (2_500, 3_200)
        let once = try await times([408])
        #expect(once.status == 200 && once.timeouts == [first, longer])
        let twice = try await times([408, 408])
        #expect(twice.status == 408 && twice.timeouts == [first, longer])
        let broken = try await times([503, 408])
        #expect(broken.status == 200 && broken.timeouts == [first, first, longer])
    }

    @Test func `reads the older shape, in which results are a plain list`() async throws {
        let old = #"{"success":true,"data":[{"url":"https://a.example/x","title":"X"}]}"#
        #expect(try await found(old).map(\.title) == ["X"])
    }
}

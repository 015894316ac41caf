import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import Synchronization
import Testing
import Threads

@Suite("Amazon's adapter")
struct AmazonTests {
    private func found(_ text: String, _ query: ProviderQuery = .invented(.amazon)) async throws -> [Candidate] {
        let sender = ScriptedSender { $0.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(text) }
        return try await Adapters.amazon(sender).candidates(for: query)
    }

    @Test func `makes an item a gift with its price as written and its link as given`() async throws {
        let kettle = try #require(try await found(Replies.amazon).first)
        #expect(kettle.id == CandidateID("amazon:B0EXAMPLE1") && kettle.type == .gift)
        #expect(kettle.title == "Gooseneck Pour-Over Kettle, 0.9 L")
        #expect(kettle.description == "Counter-balanced handle. Built-in thermometer")
        #expect(kettle.url == "https://www.amazon.com/dp/B0EXAMPLE1?tag=example-20&linkCode=osi")
        #expect(kettle.priceCents == 6_495 && kettle.currency == .usd && kettle.merchant == "Amazon.com")
        #expect(kettle.rating == 4.6 && kettle.reviewCount == 812 && kettle.tags == ["Brewline"])
        #expect(kettle.imageURL == "https://m.media-amazon.com/images/I/EX._SL500_.jpg")
    }

    @Test(arguments: [
        ("IN_STOCK", true), ("IN_STOCK_SCARCE", true), ("PREORDER", true), ("LEADTIME", true),
        ("AVAILABLE_DATE", false),
        ("OUT_OF_STOCK", false), ("UNAVAILABLE", false), ("UNKNOWN", false), ("SOMETHING_NEW", false),
    ])
    func `takes few left for there, and what nobody knows for gone`(type: String, isThere: Bool) async throws {
        let changed = Replies.amazon.replacing(#""type":"IN_STOCK""#, with: #""type":"\#(type)""#)
        #expect(try await found(changed).count == (isThere ? 1 : 0))
    }

    /// A search that was answered an hour ago at most is shown, whoever of the service's two hosts is down.
    @Test
    func `has what it was answered before where only whoever gives tokens is down, and not where the key is wrong`()
        async throws
    {
        let status = Mutex(200)
        let script = ScriptedSender { request in
            guard request.url.hasSuffix("/o2/token") else { return .json(Replies.amazon) }
            let status = status.withLock { $0 }
            return .json(status == 200 ? Replies.token : #"{"error":"invalid_client"}"#, status: status)
        }
        var retry = RetryPolicy()
        (retry.base, retry.throttleBase, retry.cap) = (.milliseconds(1), .milliseconds(1), .milliseconds(1))
        let conduct = ServiceConduct(Adapters.amazon(script), account: "a")
        let sender = conduct.sender(
            over: script,
            quota: nil,
            timers: DeadlineTimers(),
            retry: retry,
            kept: (ReplyMemory(), Scrubber([]))
        )
        func found() async throws -> [Candidate] {
            // Each process asks for a token of its own.
            try await Adapters.amazon(sender).candidates(for: .invented(.amazon, ["kettle"]))
        }
        let before = try await found()
        status.withLock { $0 = 503 }
        #expect(try await found() == before && before.count == 1)
        #expect(script.requests.filter { !$0.url.hasSuffix("/o2/token") }.count == 1)
        status.withLock { $0 = 401 }
        await #expect(throws: StageFailure.self) { try await found() }
    }

    @Test func `leaves out an item that nobody sells, and shows no price that is hidden`() async throws {
        let none = Replies.amazon.replacing(#""listings":["#, with: #""listings":[],"old":["#)
        #expect(try await found(none).isEmpty)
        let hidden = Replies.amazon.replacing(#""violatesMAP":false"#, with: #""violatesMAP":true"#)
        #expect(try await found(hidden).first?.priceCents == nil)
    }

    @Test(arguments: [("3", 19_485), ("1", 6_495), ("null", 6_495), ("0", 6_495), (#""2""#, 12_990), (#""some""#, nil)])
    func `counts as many as have to be ordered`(least: String, price: Int?) async throws {
        let text = Replies.amazon.replacing(#""minOrderQuantity":1"#, with: #""minOrderQuantity":\#(least)"#)
        #expect(try await found(text).first?.priceCents == price)
        // Whoever sells one is asked before the store's own pick that sells several.
        let other =
            #"{"availability":{"type":"IN_STOCK"},"condition":{"value":"New"},"price":{"money":{"amount":70.10,"#
            + #""currency":"USD"}},"type":null}"#
        let both = text.replacing(#""violatesMAP":false}]"#, with: #""violatesMAP":false},\#(other)]"#)
        #expect(try await found(both).first?.priceCents == (price == 6_495 ? 6_495 : 7_010))
    }

    @Test(arguments: [
        ("PRIME_EXCLUSIVE", true), ("PRIME_EARLY_ACCESS", true), ("SOMETHING_NEW", true), ("ALL", false),
    ])
    func `shows no price that only members pay`(access: String, isOfMembers: Bool) async throws {
        let deal = #""dealDetails":{"accessType":"\#(access)","badge":"Deal"},"type":null"#
        let text = Replies.amazon.replacing(#""type":null"#, with: deal)
        #expect(try await found(text).first?.priceCents == (isOfMembers ? nil : 6_495))
        let other =
            #"{"availability":{"type":"IN_STOCK"},"condition":{"value":"New"},"price":{"money":{"amount":70.10,"#
            + #""currency":"USD"}},"type":null}"#
        let both = text.replacing(#""violatesMAP":false}]"#, with: #""violatesMAP":false},\#(other)]"#)
        #expect(try await found(both).first?.priceCents == (isOfMembers ? 7_010 : 6_495))
    }

    @Test(arguments: [
        "{}", #"{"searchResult":{}}"#, #"{"searchResult":{"items":[]}}"#, #"{"errors":[{"code":"NoResults"}]}"#,
    ])
    func `reads every way to say that nothing was found`(text: String) async throws {
        #expect(try await found(text).isEmpty)
    }

    @Test func `takes what there is beside errors, and an error alone for one`() async throws {
        let partial = Replies.amazon.dropLast() + #","errors":[{"code":"ItemNotAccessible","message":"x"}]}"#
        #expect(try await found(String(partial)).count == 1)
        await #expect(throws: StageFailure.self) {
            _ = try await found(#"{"errors":[{"code":"InvalidPartnerTag","message":"x"}]}"#)
        }
    }

    @Test(arguments: [
        ("1001", "JPY", 1_001), ("12.345", "KWD", 12_345), ("64.955", "USD", 6_496), ("64.945", "USD", 6_494),
    ])
    func `counts money by the currency's own coins, halves to even`(
        amount: String,
        currency: String,
        minor: Int
    ) async throws {
        let changed = Replies.amazon.replacing(
            #""amount":64.95,"currency":"USD""#,
            with: #""amount":\#(amount),"currency":"\#(currency)""#
        )
        #expect(try await found(changed).first?.priceCents == minor)
    }

    @Test(
        arguments: [
            ("Usually ships within 2 to 3 days", 3), ("Usually ships within 1 to 2 weeks.", 14), ("In Stock", nil),
            ("Usually ships within 24 hours", 1), ("Only 2 left in stock", nil), ("Ships within", nil),
            ("Usually ships within 1 to 2 months", 62), ("Usually ships within 99999999999999999999 days", nil),
        ] as [(String, Int?)]
    )
    func `says when something comes where the service does`(message: String, days: Int?) async throws {
        let changed = Replies.amazon.replacing(#""message":"In Stock""#, with: #""message":"\#(message)""#)
        #expect(try await found(changed).first?.shipsInDays == days)
    }

    /// What is ordered before it is there comes on its day at the earliest.
    @Test(
        arguments: [
            ("This title will be released on December 3, 2026.", 10), ("It will be released on 3 December 2026", 10),
            ("Released on November 1, 2026.", 0), ("This item will be released on March 15, 2027.", 112),
            // No day that can be read is a day that may be far.
            ("It will be released soon", 365), ("Released on February 30, 2027", 365), ("Released in 2027", 365),
        ] as [(String, Int?)]
    )
    func `says when something comes that is still to be released`(message: String, days: Int?) async throws {
        let changed = Replies.amazon.replacing(
            #""type":"IN_STOCK","message":"In Stock""#,
            with: #""type":"PREORDER","message":"\#(message)""#
        )
        let query = ProviderQuery(
            provider: .amazon,
            phrases: ["kettle"],
            types: [.gift],
            budget: nil,
            place: nil,
            until: nil,
            limit: 10,
            asOf: Adapters.now
        )
        let item = try #require(try await found(changed, query).first)
        #expect(item.shipsInDays == days)
    }

    @Test func `asks two good questions within the budget where the store has its money`() {
        let budget = Budget(minimum: 2_000, maximum: 9_000, currency: .usd)
        let query = ProviderQuery.invented(.amazon, types: [.gift], budget: budget, place: nil)
        let american = Adapters.amazon(ScriptedSender("")).calls(for: query)
        #expect(
            american.map(\.asks) == [
                "items keywords=pour over kettle at www.amazon.com", "items keywords=jazz quartet at www.amazon.com",
            ]
        )
        #expect(american[0].request.sent.contains(#""minPrice":2000,"maxPrice":9000"#))
        #expect(american[0].request.sent.contains(#""itemCount":10"#))
        let british = Adapters.amazon(ScriptedSender(""), store: "www.amazon.co.uk").calls(for: query)
        #expect(!british[0].request.sent.contains("Price\":"), "another currency's bounds are no bounds")
    }

    @Test func `asks for one token however many calls need it`() async throws {
        let sender = ScriptedSender(Adapters.reply)
        let adapter = Adapters.amazon(sender)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await adapter.candidates(for: .invented(.amazon)) } }
            try await group.waitForAll()
        }
        #expect(sender.requests.count { $0.url.hasSuffix("/o2/token") } == 1)
        #expect(sender.requests.count == 41)
        // Nor does it take a place of the searches.
        #expect(sender.requests.allSatisfy { $0.isCounted != $0.url.hasSuffix("/o2/token") })
        #expect(sender.requests.last?.sent.contains("Authorization: Bearer token-canary") == true)
    }

    @Test func `asks for another token once where the old one has expired`() async throws {
        let tokens = Mutex(0)
        let sender = ScriptedSender { request in
            if request.url.hasSuffix("/o2/token") {
                let number = tokens.withLock { count in
                    count += 1
                    return count
                }
                return .json(#"{"access_token":"token-\#(number)","expires_in":3600}"#)
            }
            return request.sent.contains("token-1")
                ? .json(#"{"type":"UnauthorizedException","reason":"TokenExpired"}"#, status: 401)
                : .json(Replies.amazon)
        }
        let found = try await Adapters.amazon(sender).candidates(for: .invented(.amazon, ["kettle"]))
        #expect(found.count == 1)
        #expect(tokens.withLock { $0 } == 2)
    }

    @Test func `asks for one other token where several calls had the old one`() async throws {
        let tokens = Mutex(0)
        let sender = SlowRefusals { request in
            if request.url.hasSuffix("/o2/token") {
                let number = tokens.withLock { count in
                    count += 1
                    return count
                }
                return .json(#"{"access_token":"token-\#(number)","expires_in":3600}"#)
            }
            return request.sent.contains("token-1")
                ? .json(#"{"type":"UnauthorizedException","reason":"TokenExpired"}"#, status: 401)
                : .json(Replies.amazon)
        }
        let found = try await Adapters.amazon(sender).candidates(for: .invented(.amazon))
        #expect(found.count == 1)
        #expect(tokens.withLock { $0 } == 2)
    }

    /// What stands before the service shares equal calls; a token that has expired answers nobody who asks for another.
    @Test func `asks for another token also behind what shares equal calls`() async throws {
        let tokens = Mutex(0)
        let scripted = ScriptedSender { request in
            guard request.url.hasSuffix("/o2/token") else {
                return request.sent.contains("token-1")
                    ? .json(#"{"type":"UnauthorizedException","reason":"TokenExpired"}"#, status: 401)
                    : .json(Replies.amazon)
            }
            let number = tokens.withLock { count in
                count += 1
                return count
            }
            return .json(#"{"access_token":"token-\#(number)","expires_in":3600}"#)
        }
        let conduct = ServiceConduct(Adapters.amazon(scripted), account: "a")
        let adapter = Adapters.amazon(conduct.sender(over: scripted, quota: nil, timers: DeadlineTimers()))
        #expect(try await adapter.candidates(for: .invented(.amazon, ["kettle"])).count == 1)
        #expect(tokens.withLock { $0 } == 2)
    }

    @Test func `takes an offer that can be had beside others that cannot`() async throws {
        let gone =
            #"{"availability":{"type":"OUT_OF_STOCK"},"isBuyBoxWinner":true,"#
            + #""condition":{"value":"New"},"price":{"money":{"amount":9.99,"currency":"USD"}},"type":null},"#
        let mixed = Replies.amazon.replacing(#""listings":["#, with: #""listings":[\#(gone)"#)
        #expect(mixed != Replies.amazon)
        #expect(try await found(mixed).first?.priceCents == 6_495)
    }

    /// What the store would put into the basket, then another plain offer, and a special one only where there is no plain one.
    @Test func `prefers a plain offer to a special one, whichever comes first`() async throws {
        func listing(_ type: String, _ amount: String, wins: Bool = false) -> String {
            #"{"availability":{"type":"IN_STOCK"},"condition":{"value":"New"},"isBuyBoxWinner":\#(wins),"type":\#(type),"#
                + #""price":{"money":{"amount":\#(amount),"currency":"USD"}}},"#
        }
        let start = #""listings":["#
        let listed = try #require(Replies.amazon.firstRange(of: start)?.upperBound)
        let end = try #require(Replies.amazon[listed...].firstRange(of: "]}")?.lowerBound)
        func price(_ listings: String...) async throws -> Int? {
            var reply = Replies.amazon
            reply.replaceSubrange(listed..<end, with: listings.joined().dropLast())
            return try await found(reply).first?.priceCents
        }
        #expect(try await price(listing(#""HAUL""#, "10"), listing("null", "70")) == 7_000)
        #expect(try await price(listing(#""LIGHTNING_DEAL""#, "10", wins: true), listing("null", "70")) == 7_000)
        #expect(try await price(listing("null", "70"), listing("null", "80", wins: true)) == 8_000)
        #expect(try await price(listing(#""HAUL""#, "10")) == 1_000)
    }

    @Test func `writes scopes and tokens as each version wants them`() async throws {
        for (version, scope, header) in [
            (AmazonAccount.Version.america3, #""scope":"creatorsapi::default""#, "Bearer token-canary\n"),
            (.europe2, "scope=creatorsapi%2Fdefault", "Bearer token-canary, Version 2.2"),
        ] {
            let sender = ScriptedSender { $0.url.contains("/catalog/") ? .json(Replies.amazon) : .json(Replies.token) }
            _ = try await Adapters.amazon(sender, version: version).candidates(for: .invented(.amazon, ["kettle"]))
            #expect(sender.requests.first?.sent.contains(scope) == true)
            let last = try #require(sender.requests.last)
            #expect(last.sent.contains("Authorization: \(header)"))
        }
    }

    @Test(arguments: ["invalid_client", "invalid_scope", "invalid_grant", "unsupported_grant_type"])
    func `says why there is no token, and asks for no items`(code: String) async throws {
        let sender = ScriptedSender(#"{"error":"\#(code)","error_description":"no"}"#, status: 401)
        await #expect {
            _ = try await Adapters.amazon(sender).candidates(for: .invented(.amazon))
        } throws: {
            ($0 as? StageFailure)?.code == code
        }
        #expect(sender.requests.allSatisfy { $0.url.hasSuffix("/o2/token") })
    }
}

/// Answers refusals one after the other, so that the second comes when another token is there already.
private final class SlowRefusals: HTTPSender {
    private let answer: ScriptedSender.Answer
    private let refusals = Mutex(0)

    init(_ answer: @escaping ScriptedSender.Answer) {
        self.answer = answer
    }

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let reply = try answer(request)
        guard reply.status == 401 else { return reply }
        let turn = refusals.withLock { count in
            count += 1
            return count
        }
        if turn > 1 { try? await Task.sleep(for: .milliseconds(100)) }
        return reply
    }
}

import HTTPClient
import KnotDomain
import Recommendation
import StageGraph
import Testing
import Threads

@testable import LiveProviders

/// What stands before a service answers too: that it is being mended, or with anything that is JSON.
@Suite("JSON that is no answer of the service")
struct OtherAnswerTests {
    private static let services = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]
    private static let others = [#"{"message":"maintenance"}"#, "[]", "null", #""down""#, "0", #"{"status":"ok"}"#]

    private static func adapter(_ name: String, _ sender: any HTTPSender) -> (any LiveService)? {
        let all: [any LiveService] = [
            Adapters.yelp(sender), Adapters.ticketmaster(sender), Adapters.amazon(sender), Adapters.shopify(sender),
            Adapters.firecrawl(sender),
        ]
        return all.first { $0.capability.name.rawValue == name }
    }

    @Test(arguments: services, others)
    func `is an outage that ends, and not that nothing was found`(service: String, body: String) async throws {
        let sender = ScriptedSender { $0.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(body) }
        let adapter = try #require(Self.adapter(service, sender))
        let failure = try #require(adapter.failure(of: .json(body)))
        guard case .again = failure.remedy else {
            Issue.record("\(service) \(body): \(failure.remedy)")
            return
        }
        let query = ProviderQuery.invented(adapter.capability.name)
        await #expect(throws: StageFailure.self) { try await adapter.candidates(for: query) }
        // It asks nobody to be slower.
        let verdict = ReplyVerdict(failure, of: .json(body), now: 0)
        if case .retry = verdict {} else { Issue.record("\(service) \(body): \(verdict)") }
    }

    @Test(arguments: services)
    func `takes the place of no reply that is kept`(service: String) async throws {
        let (kept, scrubber) = (ReplyMemory(), Scrubber([]))
        let reply: ScriptedSender.Answer = Adapters.reply
        for body in [nil] + Self.others.map(Optional.some) {
            let sender = ScriptedSender { request throws(HTTPFailure) in
                guard let body, !request.url.hasSuffix("/o2/token") else { return try reply(request) }
                return .json(body)
            }
            let plain = try #require(Self.adapter(service, sender))
            let conduct = ServiceConduct(plain, account: "a")
            var retry = CallRetries()
            retry.attempts = 1
            let layered = conduct.sender(
                over: sender,
                quota: nil,
                timers: DeadlineTimers(),
                retry: retry,
                kept: (kept, scrubber)
            )
            let adapter = try #require(Self.adapter(service, layered))
            let found = try await adapter.candidates(for: .invented(adapter.capability.name, ["kettle"]))
            #expect(!found.isEmpty, "\(service) \(body ?? "")")
        }
    }

    /// What the sheets say of nothing found.
    @Test(
        arguments: [
            ("yelp", #"{"total":0,"businesses":[]}"#), ("ticketmaster", #"{"page":{"totalElements":0}}"#),
            ("amazon", "{}"), ("amazon", #"{"requestId":"1"}"#), ("firecrawl", #"{"success":true}"#),
            ("amazon", #"{"searchResult":{"totalResultCount":0}}"#),
            ("amazon", #"{"errors":[{"code":"NoResults"}]}"#),
            ("shopify", #"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"products":[]}}}"#),
            ("firecrawl", #"{"success":true,"data":{}}"#), ("firecrawl", #"{"success":true,"data":[]}"#),
        ]
    )
    func `is none that says in the service's own words that nothing was found`(
        service: String,
        body: String
    ) async throws {
        let sender = ScriptedSender { $0.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(body) }
        let adapter = try #require(Self.adapter(service, sender))
        #expect(adapter.failure(of: .json(body)) == nil)
        #expect(try await adapter.candidates(for: .invented(adapter.capability.name)).isEmpty)
    }
}

import FileInput
import HTTPClient
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing
import Threads

@testable import LiveProviders

/// Some services repeat what they were asked with, and what they write is shown.
@Suite("A key that a service repeats")
struct EchoedSecretTests {
    private static let scrubber = Scrubber([.init(Adapters.canary, as: "KNOT_ANY_KEY", isSecret: true)])

    private func answered(_ service: String, _ reply: HTTPResponse) async -> Result<[Candidate], StageFailure>? {
        let sender = ScriptedSender { $0.url.hasSuffix("/o2/token") ? .json(Replies.token) : reply }
        let scrubbed = ScrubbedReplies(sender, Self.scrubber)
        let adapters: [any LiveService] = [
            Adapters.yelp(scrubbed), Adapters.ticketmaster(scrubbed), Adapters.amazon(scrubbed),
            Adapters.shopify(scrubbed), Adapters.firecrawl(scrubbed),
        ]
        guard let adapter = adapters.first(where: { $0.capability.name.rawValue == service }) else { return nil }
        do throws(StageFailure) {
            return .success(try await adapter.candidates(for: .invented(adapter.capability.name)))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        arguments: [
            ("yelp", #"{"error":{"code":"%"}}"#), ("ticketmaster", #"{"errors":[{"code":"%"}]}"#),
            ("amazon", #"{"errors":[{"code":"%"}]}"#),
            ("shopify", #"{"errors":[{"message":"x","extensions":{"code":"%"}}]}"#),
            ("firecrawl", #"{"success":false,"error":"%","code":"%"}"#),
        ]
    )
    func `is in no failure, whatever status and type it comes with`(service: String, body: String) async throws {
        let echoing = HTTPResponse.json(body.replacing("%", with: Adapters.canary))
        var odd = echoing
        odd.headers = ["content-type": "text/\(Adapters.canary); charset=utf-8"]
        var refused = odd
        refused.status = 400
        for reply in [echoing, odd, refused] {
            let failure = try #require(await answered(service, reply))
            guard case .failure(let failure) = failure else {
                Issue.record("\(service) answers")
                continue
            }
            #expect(!"\(failure)".lowercased().contains(Adapters.canary.prefix(6)), "\(failure)")
        }
    }

    @Test(
        arguments: [
            ("yelp", Replies.yelp, "Copper Kettle"), ("ticketmaster", Replies.ticketmaster, "Harbor Lights"),
            ("amazon", Replies.amazon, "Gooseneck"), ("shopify", Replies.shopifyCatalogue, "Linocut"),
            ("firecrawl", Replies.firecrawl, "Wheel Throwing"),
        ]
    )
    func `is in no offer's title and link`(service: String, reply: String, title: String) async throws {
        let written = reply.replacing(title, with: "\(title) \(Adapters.canary)")
            .replacing("https://", with: "https://key-\(Adapters.canary).")
        #expect(written.contains(Adapters.canary))
        let found = try #require(await answered(service, .json(written))).get()
        #expect(found.allSatisfy { !"\($0.title) \($0.url)".contains(Adapters.canary) }, "\(found)")
    }

    /// A token is what its reply is for, also where it is the one that was there before.
    @Test func `is left in the reply to whoever asks for it`() async throws {
        let scrubber = Scrubber([.init("token-canary", as: "", isSecret: true)])
        let sender = ScriptedSender(Adapters.reply)
        let amazon = Adapters.amazon(ScrubbedReplies(sender, scrubber))
        #expect(try await amazon.candidates(for: .invented(.amazon, ["kettle"])).count == 1)
        #expect(sender.requests.last?.sent.contains("Bearer token-canary") == true)
    }

    @Test(arguments: [(200, "text/%"), (401, "application/json"), (400, "text/%")])
    func `is in no failure of a service of embeddings`(status: Int, type: String) async throws {
        let key = "canary-embedding-key"
        let sender = ScriptedSender { _ in
            var reply = HTTPResponse.json(#"{"error":{"code":"\#(key)","message":"\#(key)"}}"#, status: status)
            reply.headers = HTTPHeaders([HTTPHeader("Content-Type", type.replacing("%", with: key))])
            return reply
        }
        let service = OpenAIEmbeddings(base: "https://embed.example/v1", key: Secret(key), model: "m")
        let embedder = RemoteEmbedder(service, over: sender, timers: DeadlineTimers())
        let failure = await #expect(throws: StageFailure.self) { try await embedder.embeddings(of: ["a"]) }
        #expect(failure.map { "\($0)".contains("canary") } == false, "\(String(describing: failure))")
    }

    /// A shop that a run asks may sell what it is shown.
    @Test func `is hidden, and a configured address of a shop is not`() async throws {
        let hidden = Scrubber.Hidden("https://shop.example", as: "KNOT_SHOPIFY_PROFILE", isSecret: false)
        let sender = ScriptedSender { _ in .json(#"{"a":"https://shop.example/lamp"}"#) }
        let scrubbed = ScrubbedReplies(sender, Scrubber([hidden]))
        let request = HTTPRequest(.get, "https://api.example/")
        let reply = try await scrubbed.send(request, by: LastResort.end)
        #expect(String(decoding: reply.body, as: UTF8.self).contains("https://shop.example/lamp"))
    }

    @Test func `is found however much there is of a text, which stays as it is where there is none`() {
        let text = Array(String(repeating: "canar canary-5f1 ", count: 500).utf8)
        #expect(Self.scrubber.scrubbed(text) == text)
        #expect(Self.scrubber.scrubbed(text + Array(Adapters.canary.utf8)) == text + Array("{secret}".utf8))
    }

    /// Whoever writes JSON, HTML or a link may escape any character, in more than one way.
    @Test(
        arguments: [
            #"yelp\/key+canary=77"#, #"yelp/key\u002Bcanary=77"#, #"yelp/key\u002bcanary\u003D77"#,
            #"\u0079elp\u002fkey\u002bcanary\u003d77"#, "yelp&#x2F;key&#43;canary=77", #"yelp\u0026#x2F;key+canary=77"#,
            "yelp/key%2Bcanary%3D77", "yelp%2fkey%2bcanary%3d77", "%79elp/key+canary=77",
            #"yelp\u002fkey\u200b+canary=77"#,
            "yelp/key\u{200B}\u{200B}+canary=77", "yelp/key+\u{AD}canary=77", "yelp/key&shy;+canary=77",
        ]
    )
    func `is found in whatever it is escaped`(echo: String) {
        let scrubber = Scrubber([.init("yelp/key+canary=77", as: "KNOT_YELP_KEY", isSecret: true)])
        #expect(scrubber.scrubbed(#"{"name":"Studio \#(echo)!"}"#) == #"{"name":"Studio {secret}!"}"#)
        #expect(scrubber.holdsSecret(in: Array(echo.utf8)))
    }

    @Test func `is one that holds what looks escaped, and nothing else is taken for it`() {
        let scrubber = Scrubber([.init("a%2Fb%25c&amp;d", as: "KNOT_YELP_KEY", isSecret: true)])
        #expect(scrubber.scrubbed("x a%2Fb%25c&amp;d") == "x {secret}")
        #expect(scrubber.scrubbed("x a%252Fb%2525c&amp;amp;d") == "x {secret}")
        for other in ["a/b%c&d", #"a%2Fb%25c\"#, "a%2Fb%25c&am", "a%2Fb%25c&amp; d", "%", "&", #"\u00"#, "a%2"] {
            #expect(scrubber.scrubbed(other) == other)
        }
    }

    @Test func `costs no more where a text escapes everything`() {
        let scrubber = Scrubber([.init("yelp/key+canary=77", as: "KNOT_YELP_KEY", isSecret: true)])
        for part in [#"\u0079"#, "%79", "&#x79;", "y\u{200B}", #"\\"#] {
            let text = String(repeating: part, count: 100_000)
            #expect(scrubber.scrubbed(text) == text)
        }
    }
}

import FileInput
import HTTPClient
import KnotDomain
import Recommendation
import TestSupport
import Testing
import Threads

@testable import LiveProviders

/// A question is made of a person's notes: it is neither in tapes nor in kept replies, however a service repeats it.
@Suite("What a call asked for")
struct AskedWordsTests {
    private static func hidden(_ text: String, words: [String], url: String = "https://api.example/search") -> String {
        var request = HTTPRequest(.post, url, body: [], isIdempotent: true)
        request.words = words
        return String(decoding: AskedWords(of: request).hidden(in: Array(text.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"searchURL":"https://www.amazon.com/s?k=tea+pot+lid&tag=a-20"}"#, ["k=tea+pot+lid"]),
        (#"{"u":"https://a.example/s?k=tea%20pot&tag=a-20"}"#, ["tea%20pot"]),
        (#"{"u":"https://a.example/s?k=Tea+Pot&tag=a-20"}"#, ["Tea+Pot"]),
        (#"{"u":"https:\/\/a.example\/s?k=tea%20pot\u0026tag=a-20"}"#, ["tea%20pot"]),
        (#"{"u":"https://b.example/?to=https%3A%2F%2Fa.example%2Fs%3Fk%3Dtea%2520pot%26tag%3Da"}"#, ["tea%2520pot"]),
        (#"{"request":{"keywords":"tea pot","n":1}}"#, ["tea pot"]), (#"{"query" : "Tea Pot"}"#, ["Tea Pot"]),
        (#"{"echo":"{\"searchTerm\":\"tea pot\"}"}"#, ["tea pot"]),
    ])
    func `is hidden in links and in members that are called so`(text: String, said: [String]) {
        let words = ["tea pot", "tea pot lid"]
        let left = Self.hidden(text, words: words)
        #expect(said.allSatisfy { !left.contains($0) } && left.contains("{asked}"), "\(left)")
        #expect(Self.hidden(text, words: ["coffee"]) == text)
    }

    @Test(arguments: [
        #"{"title":"tea pot","tags":["tea pot"],"description":"A tea pot = a pot."}"#,
        #"{"u":"https://a.example/tea%20pot?k=tea%20pots&a=tea+potter"}"#, #"{"query":"tea pot set"}"#, "", "=", ":",
        "k=",
        #"":"#, #""query":""#,
    ])
    func `is left where it is an offer's own`(text: String) {
        #expect(Self.hidden(text, words: ["tea pot"]) == text)
    }

    @Test func `is hidden in a link's parameter of its own name, whatever it is`() {
        let url = "https://api.example/search?location=San%20Francisco%2C%20CA&limit=5"
        let text = #"{"next":"/search?location=San+Francisco%2C+CA&limit=5","city":"San Francisco, CA"}"#
        let wanted = #"{"next":"/search?location={asked}&limit=5","city":"San Francisco, CA"}"#
        #expect(
            Self.hidden(
                text.replacing("%2C+CA", with: "%2C%20CA").replacing("San+", with: "San%20"),
                words: [],
                url: url
            ) == wanted
        )
    }

    /// Each service repeats the whole of what it was asked, and a link to its own page for it.
    @Test func `is in no tape and in no kept reply of any service`() async throws {
        let words = "walrus-print tea towel"
        let services: [(any HTTPSender) -> any LiveService] = [
            { Adapters.yelp($0) }, { Adapters.ticketmaster($0) }, { Adapters.amazon($0) }, { Adapters.shopify($0) },
            { Adapters.firecrawl($0) },
        ]
        for make in services {
            let sender = ScriptedSender { (request) throws(HTTPFailure) -> HTTPResponse in
                guard !request.url.hasSuffix("/o2/token") else { return .json(Replies.token) }
                let reply = String(decoding: try Adapters.reply(request).body, as: UTF8.self)
                let query = request.url.drop { $0 != "?" }
                let asked = request.body.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
                let coded = HTTPRequest.encoded(words)
                return .json(
                    #"{"echo":\#(asked),"next":"/s\#(query)","u":"https://x.example/s?k=\#(coded)","#
                        + reply.dropFirst()
                )
            }
            let recorder = TrafficRecorder(Scrubber([]))
            let memory = ReplyMemory()
            let name: ProviderName = make(sender).capability.name
            let conduct = ServiceConduct(make(sender), account: "a")
            let kept = KeptReplies(sender, in: NotedReplies(memory), terms: conduct.terms, scrubber: Scrubber([]))
            let service = make(recorder.sender(name.rawValue, over: kept))
            let found = try await service.candidates(for: ProviderQuery.invented(name, [words]))
            #expect(!found.isEmpty, "\(name.rawValue)")
            let tape = try #require(recorder.tape(of: [:], pages: nil))
            let written = String(decoding: tape.ndjson(), as: UTF8.self)
            #expect(!written.lowercased().contains("walrus"), "\(name.rawValue): \(written)")
            #expect(memory.byteCount > 0, "\(name.rawValue)")
        }
    }
}

/// Replies as they are kept, to be looked at.
private struct NotedReplies: ReplyKeeping {
    let memory: ReplyMemory

    init(_ memory: ReplyMemory) { self.memory = memory }

    func reply(to call: String) async -> KeptReply? { memory.reply(to: call) }
    func keep(_ reply: KeptReply, of call: String) async {
        let text = String(decoding: reply.reply.body, as: UTF8.self).lowercased()
        #expect(!text.contains("walrus"), "\(text)")
        memory.keep(reply, of: call)
    }
    func remove(_ call: String) async { memory.remove(call) }
}

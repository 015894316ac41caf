import HTTPClient
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing
import Threads

@testable import LiveProviders

/// A service's odd reply is its own trouble: it costs no more than its length, and what is whole is taken.
@Suite("An odd reply")
struct OddReplyTests {
    private static let keys = ["yelp/key+canary=77", "canary%2F5f1e-simulated&key", "tokencanarytokencanary8"]

    /// Escapes of all kinds, and pieces of keys.
    @Test(arguments: [
        "&", "%", #"\"#, "%25", "%79", #"\u0026"#, #"\u0079"#, "&#x79;", "&#x26;", "&amp;", "&shy;", "&aaaaaaaaa",
        "y\u{200B}",
        "\u{200B}", "7", "yelp/key+canary=7", "canarytoken", "1,", "ü",
    ])
    func `is searched for keys in time by its length`(part: String) async {
        let scrubber = Scrubber(Self.keys.map { Scrubber.Hidden($0, as: "KEY", isSecret: true) })
        let text = Array(String(repeating: part, count: (512 << 10) / part.utf8.count).utf8)
        let time = ThreadTime.measure { #expect(scrubber.scrubbed(text) == text) }
        #expect(time < .seconds(2), "\(part): \(time)")
    }

    @Test func `is read once, whoever reads it`() throws {
        let reply = HTTPResponse.json(#"{"businesses":[]}"#)
        let copy = reply
        #expect(try reply.json()["businesses"] != nil)
        let read = copy.reading.value { () -> Result<JSONReply, ServiceFailure> in
            Issue.record("the copy was read again")
            return .failure(ServiceFailure("again", ""))
        }
        #expect(try read.get().value == reply.json())
        var other = reply
        other.body = Array("[1]".utf8)
        #expect(try other.json() == [1])
        #expect(try reply.json()["businesses"] != nil)
    }

    /// Whatever keeps a reply keeps neither what was read of it nor a deadline that is over.
    @Test func `is read anew after it was kept`() throws {
        var reply = HTTPResponse.json(#"{"businesses":[1]}"#)
        reply.readBy = .now
        _ = try reply.json()
        #expect(reply.reading.known != nil && reply.unread.reading.known == nil && reply.unread.readBy == nil)
    }

    private func found(_ body: String) async throws -> (titles: [String], said: [String]) {
        let yelp = Adapters.yelp(ScriptedSender(body))
        let query = ProviderQuery.invented(.yelp, ["cooking"], types: [.experience])
        let found = try await yelp.candidates(for: query)
        return (found.map(\.title), query.shortfalls.sentences)
    }

    @Test func `brings what of it is whole, and the run says that something is missing`() async throws {
        let whole = try await found(Replies.yelp)
        #expect(whole.titles == ["Copper Kettle Cooking Studio"] && whole.said.isEmpty)
        for odd in [#"{"id":"x","rating":4.x},"#, "{\"id\":\"\u{1}\\q\"},", #"{"id":1,"id":2},"#] {
            let text = Replies.yelp.replacing(#""businesses":["#, with: #""businesses":[\#(odd)"#)
            let (titles, said) = try await found(text)
            #expect(titles == whole.titles, "\(odd)")
            #expect(said.contains { $0.contains("cannot be read") }, "\(said)")
        }
    }

    /// A part is not shown for minutes or in an outage in the place of what is whole.
    @Test func `is neither shared nor kept where a part of it is missing`() async throws {
        let text = Replies.yelp.replacing(#""businesses":["#, with: #""businesses":[{"id":4.x},"#)
        let conduct = ServiceConduct(Adapters.yelp(ScriptedSender("{}")), account: "a")
        let part = HTTPResponse.json(text)
        #expect(conduct.reads(part) && !conduct.terms.isGood(part) && !conduct.terms.isOutage(part))
        #expect(conduct.terms.isGood(.json(Replies.yelp)))
    }

    @Test func `keeps no thread of another service`() async throws {
        let lanes = [ProviderName.yelp, .amazon].map { ServiceLanes.lane(of: $0) }
        #expect(lanes[0] !== lanes[1] && ServiceLanes.lane(of: .yelp) === lanes[0])
    }
}

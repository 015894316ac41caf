import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import Synchronization
import Testing

/// A service of whose calls some fail says so, instead of looking as if it had no more.
@Suite("A service that answers in part")
struct PartialAnswerTests {
    /// Answers all calls but one as the service does.
    private func failing(_ place: Int) -> ScriptedSender.Answer {
        let counted = Mutex(0)
        return { request throws(HTTPFailure) in
            if request.url.hasSuffix("/o2/token") { return .json(Replies.token) }
            let number = counted.withLock { count in
                defer { count += 1 }
                return count
            }
            guard number == place else { return try Adapters.reply(request) }
            return .json(#"{"error":"no"}"#, status: 503)
        }
    }

    @Test(arguments: 0..<5)
    func `tells the query how many of its calls failed, and how`(place: Int) async throws {
        let service = Adapters.all(failing(0))[place]
        let query = ProviderQuery.invented(service.capability.name)
        let calls = service.calls(for: query).count
        try #require(calls > 1)
        let found = try await service.candidates(for: query)
        #expect(!found.isEmpty)
        let sentence = try #require(query.shortfalls.sentences.first)
        let name = service.capability.name.rawValue
        #expect(sentence.hasPrefix("1 of its \(calls) calls failed: \(name)"), "\(sentence)")
        #expect(query.shortfalls.sentences.count == 1)
        for phrase in query.phrases { #expect(!sentence.contains(phrase)) }
        #expect(!sentence.contains(Adapters.canary))
    }

    @Test(arguments: 0..<5)
    func `says nothing where all its calls succeed, and where all fail it is an outage`(place: Int) async throws {
        let service = Adapters.all(Adapters.reply)[place]
        let query = ProviderQuery.invented(service.capability.name)
        _ = try await service.candidates(for: query)
        #expect(query.shortfalls.sentences.isEmpty)
        let other = ProviderQuery.invented(service.capability.name)
        let down = Adapters.all { _ in .page(503) }[place]
        await #expect(throws: (any Error).self) { try await down.candidates(for: other) }
        #expect(other.shortfalls.sentences.isEmpty)
    }
}

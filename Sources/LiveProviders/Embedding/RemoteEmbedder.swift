import FoundationEssentials
package import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain
import Recommendation
package import StageGraph
package import TextEncoding
package import Threads
package import VectorSearch

/// A service's embeddings as the stages' embedder: equal texts once, in few calls, each vector checked and of length one.
///
/// What it is given leaves this machine, hints in their own words among it: nobody uses it who was not told to.
package struct RemoteEmbedder: TextEmbedder {
    private let service: any EmbeddingService
    private let channel: ServiceChannel
    /// The channel's replies without the key.
    private let sender: ScrubbedReplies
    private let timeout: Duration

    /// Nil where nobody has found out what the model's cosines mean.
    package let profile: CosineProfile?
    package var model: String { service.model }

    package init(
        _ service: any EmbeddingService,
        over sender: any HTTPSender,
        timers: DeadlineTimers,
        profile: CosineProfile? = nil,
        retry: CallRetries = CallRetries(),
        timeout: Duration = .seconds(20)
    ) {
        self.service = service
        self.profile = profile
        self.timeout = timeout
        var policy = ServiceChannel.Policy(service.name)
        policy.retry = retry
        // A model that is loaded at the first call takes its time; the calls of one question go side by side.
        policy.patience = timeout
        policy.places = 4
        policy.judge = { reply, now in ReplyVerdict(service.failure(of: reply), of: reply, now: now) }
        channel = ServiceChannel(policy, over: sender, timers: timers)
        self.sender = ScrubbedReplies(channel, Scrubber([]))
    }

    package var counts: ServiceChannel.Counts { channel.counts }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        let cut = texts.map { String($0.prefix(service.batch.charactersOfText)) }
        var known: Set<String> = []
        let unique = cut.filter { known.insert($0).inserted }
        if unique.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw failure("blank_text", "takes no blank text")
        }
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let calls = service.batch.calls(of: unique)
        let answers = await withTaskGroup(of: (Int, Result<[Embedding], StageFailure>).self) { group in
            for (place, call) in calls.enumerated() { group.addTask { (place, await answer(to: call, by: deadline)) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
        }
        var found: [String: Embedding] = [:]
        for (place, answer) in answers {
            for (text, embedding) in zip(calls[place], try answer.get()) { found[text] = embedding }
        }
        let all = cut.compactMap { found[$0] }
        guard all.count == texts.count else { throw failure("wrong_count", "has no vector of a text") }
        return all
    }

    private func answer(
        to texts: [String],
        by deadline: ContinuousClock.Instant
    ) async -> Result<[Embedding], StageFailure> {
        let reply: HTTPResponse
        do throws(HTTPFailure) {
            reply = try await sender.send(service.request(for: texts), by: deadline)
        } catch {
            return .failure(error.stageFailure(of: service.name))
        }
        do throws(ServiceFailure) {
            if let failure = service.failure(of: reply) { throw failure }
            let vectors = try service.vectors(in: reply, count: texts.count)
            let embeddings = vectors.compactMap { $0.flatMap(embedding) }
            guard embeddings.count == texts.count else {
                let wanted = "\(Embedding.dimension) finite numbers"
                throw ServiceFailure("bad_vector", "replied with a vector that has not \(wanted), or no length")
            }
            return .success(embeddings)
        } catch {
            return .failure(error.stageFailure(of: service.name))
        }
    }

    /// Of length one; nil for what is no vector of ours.
    private func embedding(_ values: [Float]) -> Embedding? {
        let length = values.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        guard length.isFinite, length > 0 else { return nil }
        return Embedding(values.map { Float(Double($0) / length) }, model: model)
    }

    private func failure(_ code: String, _ detail: String) -> StageFailure {
        StageFailure(.provider, code: code, "\(service.name) \(detail)")
    }
}

extension JSONValue {
    /// Numbers, or a text of them in four bytes each; nil for anything else.
    var vector: [Float]? {
        switch self {
        case .array(let items):
            let numbers = items.compactMap(\.measure)
            return numbers.count == items.count ? numbers.map { Float($0) } : nil
        case .string(let text):
            guard let data = Data(base64Encoded: text), data.count % 4 == 0 else { return nil }
            let bytes = Array(data)
            return stride(from: 0, to: bytes.count, by: 4).map { place in
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
                return Float(bitPattern: bits)
            }
        default: return nil
        }
    }
}

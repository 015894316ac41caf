package import FileInput
package import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain
import StageGraph

/// A service that turns texts into vectors: how it is asked and what its replies mean.
package protocol EmbeddingService: Sendable {
    /// For people and failures.
    var name: String { get }
    /// Model, size and prefix: vectors of two of them have nothing to say to each other.
    var model: String { get }
    /// What one call may have.
    var batch: EmbeddingBatch { get }

    func request(for texts: [String]) -> HTTPRequest

    /// Why a reply brings nothing; nil where it brings something.
    func failure(of reply: HTTPResponse) -> ServiceFailure?

    /// As many vectors as were asked for, in their order; nil in the place of one that is none.
    func vectors(in reply: HTTPResponse, count: Int) throws(ServiceFailure) -> [[Float]?]
}

/// The limits of one call.
package struct EmbeddingBatch: Sendable, Equatable {
    package let texts: Int
    package let bytes: Int
    /// Of one text; the rest of it is left out, as the services themselves do without saying so.
    package let charactersOfText: Int

    package init(texts: Int, bytes: Int, charactersOfText: Int) {
        self.texts = max(1, texts)
        self.bytes = max(1, bytes)
        self.charactersOfText = max(1, charactersOfText)
    }

    /// Texts in their order, in as few calls as the limits allow; a text that is too long alone is a call of its own.
    package func calls(of texts: [String]) -> [[String]] {
        var calls: [[String]] = []
        var last: [String] = []
        var byteCount = 0
        for text in texts {
            if last.count == self.texts || (!last.isEmpty && byteCount + text.utf8.count > bytes) {
                calls.append(last)
                (last, byteCount) = ([], 0)
            }
            last.append(text)
            byteCount += text.utf8.count
        }
        return last.isEmpty ? calls : calls + [last]
    }
}

/// Google's embeddings by a key of the Gemini API, many texts a call.
package struct GoogleEmbeddings: EmbeddingService {
    package static let usualBase = "https://generativelanguage.googleapis.com/v1beta"
    package static let usualModel = "gemini-embedding-2"
    private static let dimension = 768

    package let name = "google"
    package let batch = EmbeddingBatch(texts: 100, bytes: 60_000, charactersOfText: 6_000)
    private let base: String
    private let key: Secret
    private let modelName: String

    package init(key: Secret, base: String = usualBase, model: String = usualModel) {
        self.key = key
        self.base = base
        modelName = model
    }

    package var model: String { "google/\(modelName)/\(Self.dimension)/similarity" }

    /// The newer models read the task in the text, and the older ones beside it.
    private var readsTask: Bool { modelName.hasPrefix("gemini-embedding-2") }

    package func request(for texts: [String]) -> HTTPRequest {
        let requests = texts.map { text -> JSONValue in
            let told = readsTask ? "task: sentence similarity | query: \(text)" : text
            var members: [JSONObject.Member] = [
                .init(name: "model", value: .string("models/\(modelName)")),
                .init(name: "content", value: ["parts": [["text": .string(told)]]]),
                .init(name: "outputDimensionality", value: .integer(Self.dimension)),
            ]
            if !readsTask { members.append(.init(name: "taskType", value: "SEMANTIC_SIMILARITY")) }
            return .object(JSONObject(members))
        }
        return HTTPRequest(
            .post,
            "\(base)/models/\(modelName):batchEmbedContents",
            headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("x-goog-api-key", secret: key)],
            body: Array(JSONWriter.text(["requests": .array(requests)]).utf8),
            limits: HTTPLimits(bodyBytes: 8 << 20, decodedBytes: 8 << 20),
            isIdempotent: true
        )
    }

    package func failure(of reply: HTTPResponse) -> ServiceFailure? {
        guard !(200..<300).contains(reply.status) else { return nil }
        let json = try? reply.json()
        // Some gateways send the error in a list of one.
        let error = (json?.array?.first ?? json)?["error"]
        let code = error?["status"]?.string.map(ServiceFailure.code)
        let delay = (error?["details"]?.array ?? []).lazy.compactMap { $0["retryDelay"]?.string }.first
        // What was cancelled on their side is an outage too, under a status of their own.
        if reply.status == 499 {
            return ServiceFailure(code ?? "http_499", "replied with status 499", .again(after: reply.retryAfterSeconds))
        }
        guard reply.status == 429, let seconds = delay.flatMap(Self.seconds) else {
            return .byStatus(reply, code: code)
        }
        return ServiceFailure(code ?? "http_429", "replied with status 429", .again(after: seconds))
    }

    /// `12s`, `0.5s`.
    private static func seconds(_ text: String) -> Duration? {
        guard text.hasSuffix("s"), let value = Double(text.dropLast()), (0...86_400).contains(value) else { return nil }
        return .milliseconds(Int(value * 1_000))
    }

    package func vectors(in reply: HTTPResponse, count: Int) throws(ServiceFailure) -> [[Float]?] {
        let found = try reply.json()["embeddings"]?.array ?? []
        guard found.count == count else {
            throw ServiceFailure("wrong_count", "replied with \(found.count) vectors where \(count) were asked for")
        }
        return found.map { $0["values"].flatMap(\.vector) }
    }
}

/// Embeddings of whatever speaks as OpenAI does: Ollama, llama.cpp, vLLM and others, also on this machine.
package struct OpenAIEmbeddings: EmbeddingService {
    package let name = "openai"
    /// What the smallest of these servers take by default.
    package let batch = EmbeddingBatch(texts: 32, bytes: 32_000, charactersOfText: 1_500)
    private let base: String
    private let key: Secret?
    private let modelName: String
    /// What some models have to be told before each text, as `clustering: `; the servers do not add it.
    private let prefix: String

    package init(base: String, key: Secret?, model: String, prefix: String = "") {
        self.base = base
        self.key = key
        modelName = model
        self.prefix = prefix
    }

    package var model: String { "openai/\(modelName)/\(prefix)" }

    package func request(for texts: [String]) -> HTTPRequest {
        let body: JSONValue = [
            "model": .string(modelName), "input": JSONValue(texts.map { prefix + $0 }), "encoding_format": "float",
        ]
        let bearer = key.map { [HTTPHeader("Authorization", "Bearer ", secret: $0)] } ?? []
        return HTTPRequest(
            .post,
            "\(base)/embeddings",
            headers: [HTTPHeader("Content-Type", "application/json")] + bearer,
            body: Array(JSONWriter.text(body).utf8),
            limits: HTTPLimits(bodyBytes: 8 << 20, decodedBytes: 8 << 20),
            isIdempotent: true
        )
    }

    package func failure(of reply: HTTPResponse) -> ServiceFailure? {
        guard !(200..<300).contains(reply.status) else { return nil }
        let error = (try? reply.json())?["error"]
        let message = (error?["message"]?.string ?? error?.string ?? "").lowercased()
        // Of a text that is too long some say that they are broken: the same text never fits.
        if message.contains("too large to process") || message.contains("context length") {
            return ServiceFailure("text_too_long", "takes no text as long as one of these")
        }
        return .byStatus(reply, code: error?["code"]?.string.map(ServiceFailure.code))
    }

    package func vectors(in reply: HTTPResponse, count: Int) throws(ServiceFailure) -> [[Float]?] {
        let found = try reply.json()["data"]?.array ?? []
        var vectors = [[Float]?](repeating: nil, count: count)
        var places: Set<Int> = []
        for (place, item) in found.enumerated() {
            // They may come in any order, and say which they are; a place that cannot be read is none.
            let written = item["index"] ?? .null
            guard let index = written.isNull ? place : written.int, vectors.indices.contains(index),
                places.insert(index).inserted
            else {
                throw ServiceFailure("wrong_count", "replied with vectors that were not asked for")
            }
            vectors[index] = item["embedding"].flatMap(\.vector)
        }
        guard places.count == count else {
            throw ServiceFailure("wrong_count", "replied with \(places.count) vectors where \(count) were asked for")
        }
        return vectors
    }
}

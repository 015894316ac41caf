import FileInput
import Foundation
import HTTPClient
import JSONDocument
import KnotDomain
import LoopbackServer
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing
import Threads
import VectorSearch

@testable import LiveProviders

/// Embeddings of services, as they answer on this machine.
@Suite("A remote embedder", .serialized)
struct RemoteEmbedderTests {
    enum Kind: String, CaseIterable, Sendable {
        case google
        case openai
    }

    private static let canary = "canary-embedding-key"

    /// A vector that says which text it is of, and is of no usual length.
    private static func vector(of text: String) -> [Double] {
        var random = SeededRandom(seed: text.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) })
        return (0..<768).map { _ in Double.random(in: -3...3, using: &random) }
    }

    private static func texts(in request: LoopbackRequest) throws -> [String] {
        let json = try JSONParser.parse(request.body)
        if let inputs = json["input"]?.array { return inputs.compactMap(\.string) }
        return (json["requests"]?.array ?? []).compactMap { one in
            one["content"]?["parts"]?.array?.first?["text"]?.string
        }
    }

    private static func list(_ numbers: [Double]) -> JSONValue { .array(numbers.map { .number($0) }) }

    /// Answers as the service does, in the service's own shape.
    private static func reply(_ kind: Kind, to request: LoopbackRequest) -> LoopbackReply {
        let texts = (try? texts(in: request)) ?? []
        switch kind {
        case .google:
            let embeddings = texts.map { ["values": list(vector(of: $0))] as JSONValue }
            return .json(JSONWriter.text(["embeddings": .array(embeddings)]))
        case .openai:
            // They come in another order than they were asked for, and one as bytes.
            let data = texts.enumerated().map { index, text -> JSONValue in
                let floats = vector(of: text).map { Float($0) }
                let bytes = floats.flatMap { value in (0..<4).map { UInt8(value.bitPattern >> (8 * UInt32($0)) & 255) }
                }
                let written = index == 0 ? JSONValue.string(Data(bytes).base64EncodedString()) : list(vector(of: text))
                return ["object": "embedding", "index": .integer(index), "embedding": written]
            }
            return .json(JSONWriter.text(["object": "list", "data": .array(data.reversed())]))
        }
    }

    private static func service(_ kind: Kind, _ url: String) -> any EmbeddingService {
        switch kind {
        case .google: GoogleEmbeddings(key: Secret(canary), base: url + "/v1beta")
        case .openai: OpenAIEmbeddings(base: url + "/v1", key: Secret(canary), model: "nomic", prefix: "clustering: ")
        }
    }

    private struct World {
        let server: LoopbackServer
        let embedder: RemoteEmbedder

        init(_ kind: Kind, _ answer: @escaping LoopbackServer.Answer) throws {
            server = try LoopbackServer(answer)
            var retry = CallRetries()
            (retry.base, retry.throttleBase) = (.milliseconds(1), .milliseconds(1))
            embedder = RemoteEmbedder(
                RemoteEmbedderTests.service(kind, server.url),
                over: try HTTPClient(),
                timers: DeadlineTimers(),
                retry: retry,
                timeout: .seconds(5)
            )
        }
    }

    @Test(arguments: Kind.allCases)
    func `has one vector of length one for each text, in order, and asks for equal texts once`(kind: Kind) async throws
    {
        let world = try World(kind) { Self.reply(kind, to: $0) }
        defer { world.server.stop() }
        var texts = (0..<250).map { "text number \($0)" }
        texts.insert(texts[3], at: 100)
        let found = try await world.embedder.embeddings(of: texts)
        #expect(found.count == texts.count && found[100] == found[3])
        let told = kind == .google ? "task: sentence similarity | query: " : "clustering: "
        for (text, embedding) in zip(texts, found) {
            let wanted = Self.vector(of: told + text)
            let length = wanted.reduce(0) { $0 + $1 * $1 }.squareRoot()
            // A Float has seven digits.
            let isSame = zip(embedding.values, wanted).allSatisfy { abs(Double($0) - $1 / length) < 1e-5 }
            #expect(isSame && abs(embedding.norm - 1) < 1e-5 && embedding.model == world.embedder.model, "\(text)")
        }
        let asked = try world.server.requests.flatMap(Self.texts)
        #expect(asked.count == 250 && Set(asked).count == 250)
        #expect(try await world.embedder.embeddings(of: []).isEmpty)
    }

    /// The vectors that a request asks for, as JSON.
    private static func written(_ request: LoopbackRequest) -> [String] {
        ((try? texts(in: request)) ?? []).map { JSONWriter.text(list(vector(of: $0))) }
    }

    /// Two texts would have each other's vectors.
    @Test func `takes no vector whose place nobody can read`() async throws {
        let places: [(first: String, isRead: Bool)] = [
            (#""index":1,"#, true), (#""index":"1","#, false), (#""index":1.5,"#, false), (#""index":-1,"#, false),
            (#""index":{},"#, false), ("", false),
        ]
        for (first, isRead) in places {
            let world = try World(.openai) { request in
                let vectors = Self.written(request)
                let list = #"{\#(first)"embedding":\#(vectors[1])},{"index":0,"embedding":\#(vectors[0])}"#
                return .json(#"{"data":[\#(list)]}"#)
            }
            defer { world.server.stop() }
            do throws(StageFailure) {
                let found = try await world.embedder.embeddings(of: ["one", "two"])
                #expect(isRead && found.count == 2, "\(first)")
            } catch {
                #expect(!isRead && error.code == "wrong_count", "\(first) \(error)")
            }
        }
        // All of them in another way, and in another order.
        let world = try World(.openai) { request in
            let vectors = Self.written(request).enumerated().reversed()
            let list = vectors.map { #"{"index":"\#($0.offset)","embedding":\#($0.element)}"# }
            return .json(#"{"data":[\#(list.joined(separator: ","))]}"#)
        }
        defer { world.server.stop() }
        await #expect(throws: StageFailure.self) { try await world.embedder.embeddings(of: ["one", "two"]) }
        // Where none of them says a place, they are in the order that was asked.
        for written in ["", #""index":null,"#] {
            let world = try World(.openai) { request in
                let vectors = Self.written(request)
                return .json(
                    #"{"data":[\#(vectors.map { "{\(written)\"embedding\":\($0)}" }.joined(separator: ","))]}"#
                )
            }
            defer { world.server.stop() }
            #expect(try await world.embedder.embeddings(of: ["one", "two"]).count == 2)
        }
    }

    @Test(arguments: Kind.allCases)
    func `keeps the service's limits in every call, and sends its key where the service reads it`(
        kind: Kind
    ) async throws {
        let world = try World(kind) { Self.reply(kind, to: $0) }
        defer { world.server.stop() }
        let batch = Self.service(kind, "").batch
        let texts = (0..<80).map { "\($0) " + String(repeating: "long ", count: 3 * $0) }
        let more = texts + [String(repeating: "x", count: 40_000)] + (100..<300).map(String.init)
        _ = try await world.embedder.embeddings(of: more)
        for request in world.server.requests {
            let texts = try Self.texts(in: request)
            #expect(texts.count <= batch.texts)
            // What each text is told before it is not counted, and is short.
            #expect(texts.count == 1 || texts.reduce(0) { $0 + $1.utf8.count } <= batch.bytes + texts.count * 40)
            #expect(texts.allSatisfy { $0.count <= batch.charactersOfText + 40 })
            let name = kind == .google ? "x-goog-api-key" : "authorization"
            #expect(request.header(name)?.contains(Self.canary) == true && !request.target.contains(Self.canary))
        }
        #expect(world.server.requests.count > 1)
    }

    @Test(arguments: Kind.allCases, [400, 401, 403, 404, 413, 422])
    func `gives up at once where the same call would fail again`(kind: Kind, status: Int) async throws {
        let world = try World(kind) { request in
            let key = (request.header("authorization") ?? "") + (request.header("x-goog-api-key") ?? "")
            return .json(#"[{"error":{"code":\#(status),"message":"no \#(key)","status":"NO"}}]"#, status: status)
        }
        defer { world.server.stop() }
        let error = await #expect(throws: StageFailure.self) { try await world.embedder.embeddings(of: ["a"]) }
        #expect(world.server.requests.count == 1)
        #expect(error.map { "\($0)".contains(Self.canary) } == false)
    }

    @Test(arguments: Kind.allCases, [429, 503])
    func `asks again where the service is busy, and after as long as it says`(kind: Kind, status: Int) async throws {
        let isFirst = Mutex(true)
        let world = try World(kind) { request in
            let first = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            let body = #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"0.2s"}]}}"#
            return first ? .json(body, status: status) : Self.reply(kind, to: request)
        }
        defer { world.server.stop() }
        let start = ContinuousClock.now
        #expect(try await world.embedder.embeddings(of: ["a"]).count == 1)
        #expect(world.server.requests.count == 2)
        if kind == .google, status == 429 { #expect(start.duration(to: .now) >= .milliseconds(190)) }
    }

    @Test(arguments: Kind.allCases)
    func `takes no vector of another size, none without a length, and not one too few`(kind: Kind) async throws {
        let zero = [Double](repeating: 0, count: 768)
        let wrong: [[[Double]]] = [[[1, 2, 3]], [zero], [], [Self.vector(of: "a"), Self.vector(of: "b")]]
        for vectors in wrong {
            let world = try World(kind) { _ in
                let lists = vectors.map(Self.list)
                let google = JSONValue.array(lists.map { ["values": $0] })
                let openai = JSONValue.array(
                    lists.enumerated().map { ["index": .integer($0.offset), "embedding": $0.element] }
                )
                return .json(JSONWriter.text(["embeddings": google, "data": openai]))
            }
            defer { world.server.stop() }
            let error = await #expect(throws: StageFailure.self) { try await world.embedder.embeddings(of: ["a"]) }
            #expect(["bad_vector", "wrong_count"].contains(error?.code))
            #expect(world.server.requests.count == 1)
        }
        let blank = try World(kind) { Self.reply(kind, to: $0) }
        defer { blank.server.stop() }
        let error = await #expect(throws: StageFailure.self) { try await blank.embedder.embeddings(of: ["a", " \n"]) }
        #expect(error?.code == "blank_text" && blank.server.requests.isEmpty)
    }

    @Test func `does not ask a server again that is broken by the length of a text`() async throws {
        let world = try World(.openai) { _ in
            .json(#"{"error":{"message":"input (900 tokens) is too large to process"}}"#, status: 500)
        }
        defer { world.server.stop() }
        let error = await #expect(throws: StageFailure.self) { try await world.embedder.embeddings(of: ["a"]) }
        #expect(error?.code == "text_too_long" && world.server.requests.count == 1)
    }

    @Test func `names model, size and what texts are told, so that no two kinds of vectors are mixed`() {
        let texts = OpenAIEmbeddings(base: "https://x.example", key: nil, model: "m")
        #expect(texts.model == "openai/m/" && GoogleEmbeddings(key: Secret("k")).model.contains("gemini-embedding-2"))
        let other = GoogleEmbeddings(key: Secret("k"), model: "gemini-embedding-001")
        #expect(other.model != GoogleEmbeddings(key: Secret("k")).model)
        let body = String(decoding: other.request(for: ["a"]).body ?? [], as: UTF8.self)
        #expect(body.contains("SEMANTIC_SIMILARITY") && !body.contains("task:"))
    }
}

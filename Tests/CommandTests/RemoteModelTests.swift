import Console
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import TestSupport
import Testing
import TextEncoding

@testable import Composition

/// `--model remote`: vectors of a service, for whoever wants its texts told.
@Suite("A remote model", .onOwnThreads, .serialized)
struct RemoteModelTests {
    private static let key = "canary-embedding-77"

    /// A server that speaks as OpenAI does, whose vectors have a number for each letter.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.header("authorization") == "Bearer \(Self.key)",
                let texts = try? JSONParser.parse(request.body)["input"]?.array?.compactMap(\.string)
            else {
                return .json(#"{"error":{"message":"no such key"}}"#, status: 401)
            }
            let data = texts.enumerated().map { index, text -> JSONValue in
                var numbers = [Double](repeating: 0.01, count: 768)
                for byte in text.lowercased().utf8 { numbers[Int(byte)] += 1 }
                return ["index": .integer(index), "embedding": .array(numbers.map { .number($0) })]
            }
            return .json(JSONWriter.text(["data": .array(data)]))
        }
    }

    private let words = ["run", "--fixture", LiveCommand.fixture, "--json", "--model", "remote"]

    private func environment(_ server: LoopbackServer) -> [String: String] {
        [
            "KNOT_EMBEDDING_SERVICE": "openai", "KNOT_EMBEDDING_KEY": Self.key,
            "KNOT_EMBEDDING_URL": server.url + "/v1",
            "KNOT_EMBEDDING_MODEL": "letters",
        ]
    }

    @Test func `gives the vectors of a choice, which a recording has too, and its key is nowhere`() async throws {
        let server = try server()
        defer { server.stop() }
        let folder = try ScratchFolder()
        let path = folder.file("r.cassette")
        var environment = environment(server)
        environment["KNOT_CACHE"] = folder.path
        // As if it had been calibrated, and its cosines meant what the reference's mean.
        _ = try ModelRecordFiles(cache: folder.path).keep(.reference, of: "openai/letters/")
        let outcome = try await LiveCommand.run(words + ["--record", path], environment)
        let set = try JSONParser.parse(outcome.output)
        #expect(set["choices"]?.array?.count == 3, "\(outcome.all)")
        #expect(!outcome.output.contains("no_embedder") && !server.requests.isEmpty)
        let tape = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!outcome.all.contains(Self.key) && !tape.contains(Self.key))
        server.stop()
        let again = try await LiveCommand.run(["replay", path, "--json"], [:])
        #expect(again.output == outcome.output, "\(again.all)")
    }

    @Test func `that tells nothing apart is refused when it is calibrated`() async throws {
        let server = try server()
        defer { server.stop() }
        let folder = try ScratchFolder()
        var environment = environment(server)
        environment["KNOT_CACHE"] = folder.path
        let outcome = try await LiveCommand.run(["embed", "--calibrate", "--model", "remote"], environment)
        #expect(outcome.code == .badInput && outcome.errors.contains("chance gives 70"), "\(outcome.all)")
        #expect(server.requests.count > 1)
    }

    @Test func `without a profile is told nothing, since nothing could be made of it`() async throws {
        let server = try server()
        defer { server.stop() }
        let outcome = try await LiveCommand.run(words, environment(server))
        #expect(outcome.output.contains("no_profile") && server.requests.isEmpty, "\(outcome.all)")
    }

    @Test func `that does not answer costs the meaning and not the choice`() async throws {
        let server = try server()
        defer { server.stop() }
        var environment = environment(server)
        let folder = try ScratchFolder()
        environment["KNOT_CACHE"] = folder.path
        _ = try ModelRecordFiles(cache: folder.path).keep(.reference, of: "openai/letters/")
        environment["KNOT_EMBEDDING_KEY"] = "another-key-here"
        let outcome = try await LiveCommand.run(words, environment)
        let set = try JSONParser.parse(outcome.output)
        #expect(set["choices"]?.array?.count == 3 && set["outcome"]?.string == "degraded", "\(outcome.all)")
    }

    @Test(arguments: [
        ("KNOT_EMBEDDING_SERVICE", "other"), ("KNOT_EMBEDDING_SERVICE", ""), ("KNOT_EMBEDDING_URL", ""),
        ("KNOT_EMBEDDING_URL", "http://embeddings.example"), ("KNOT_EMBEDDING_MODEL", "a b"),
        ("KNOT_EMBEDDING_MODEL", ""), ("KNOT_EMBEDDING_KEY", "two words"),
    ])
    func `is refused where it is not set up, and the variable is named`(name: String, value: String) async throws {
        var environment = [
            "KNOT_EMBEDDING_SERVICE": "openai", "KNOT_EMBEDDING_URL": "https://embeddings.example/v1",
            "KNOT_EMBEDDING_MODEL": "letters",
        ]
        environment[name] = value
        let outcome = try await LiveCommand.run(words, environment)
        #expect(outcome.code == .configuration && outcome.errors.contains(name), "\(outcome.all)")
    }

    /// A service of embeddings that is asked again would be told the vault's words by what says that it sends nothing.
    @Test(arguments: ["--record-traffic", "--play-traffic"])
    func `is refused with the traffic of a run, and nothing is sent`(flag: String) async throws {
        let server = try server()
        defer { server.stop() }
        let folder = try ScratchFolder()
        try Data().write(to: URL(filePath: folder.file("t.traffic")))
        let outcome = try await LiveCommand.run(
            words + ["--live", flag, folder.file("t.traffic")],
            environment(server)
        )
        #expect(outcome.code == .usage && outcome.errors.contains("--model remote"), "\(outcome.all)")
        #expect(server.requests.isEmpty)
    }

    @Test func `is named by the plan of a live run, which sends it nothing`() async throws {
        let (server, simulator) = (try server(), try LiveCommand.simulator())
        defer {
            server.stop()
            simulator.stop()
        }
        let both = environment(server).merging(simulator.environment) { $1 }
        let planned = ["run", "--fixture", LiveCommand.fixture, "--live", "--plan-only"]
        let remote = try await LiveCommand.run(planned + ["--model", "remote"], both)
        #expect(remote.code == .done && remote.output.contains("letters"), "\(remote.all)")
        #expect(server.requests.isEmpty && simulator.requests.isEmpty)
        let json = try await LiveCommand.run(planned + ["--model", "remote", "--json"], both)
        #expect(try JSONParser.parse(json.output)["embedder"]?.string?.contains("letters") == true, "\(json.all)")
        let none = try await LiveCommand.run(planned + ["--model", "none", "--json"], both)
        #expect(try JSONParser.parse(none.output)["embedder"]?.isNull == true, "\(none.all)")
    }

    @Test func `is for fixtures alone: what is stored has vectors of this machine`() async throws {
        let server = try server()
        defer { server.stop() }
        let words = ["embed", "--all", "--model", "remote"]
        let outcome = try await LiveCommand.run(words, environment(server))
        #expect(outcome.code == .configuration && server.requests.isEmpty, "\(outcome.all)")
    }
}

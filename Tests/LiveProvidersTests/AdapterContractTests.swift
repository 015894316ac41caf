import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import TestSupport
import Testing

@Suite("Every adapter of a service")
struct AdapterContractTests {
    static let names = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]

    private func adapter(
        _ name: String,
        _ answer: @escaping ScriptedSender.Answer = Adapters.reply
    ) throws -> any LiveService {
        try #require(Adapters.all(answer).first { $0.capability.name.rawValue == name })
    }

    @Test(arguments: names)
    func `throws an outage where every call fails, and names the provider and the reason`(name: String) async throws {
        let adapter = try adapter(name) { _ throws(HTTPFailure) in
            throw HTTPFailure(.connect, host: "host.example", "nobody listens")
        }
        let query = ProviderQuery.invented(adapter.capability.name, types: adapter.capability.types)
        await #expect {
            _ = try await adapter.candidates(for: query)
        } throws: { error in
            let failure = error as? StageFailure
            return failure?.failureClass == .provider && failure?.code == "connect"
                && failure?.detail.hasPrefix(name) == true
        }
    }

    @Test(arguments: names)
    func `does not take a page for an empty answer`(name: String) async throws {
        let adapter = try adapter(name) { request in
            request.url.hasSuffix("/o2/token") ? .json(Replies.token) : .page(200)
        }
        let query = ProviderQuery.invented(adapter.capability.name, types: adapter.capability.types)
        await #expect {
            _ = try await adapter.candidates(for: query)
        } throws: {
            ($0 as? StageFailure)?.code == "not_json"
        }
    }

    @Test(arguments: names, ["", "{", "[[[[", "{\"a\":1,\"a\":2}", "\u{0}"])
    func `does not take broken JSON for an empty answer`(name: String, body: String) async throws {
        let adapter = try adapter(name) { request in
            request.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(body)
        }
        let query = ProviderQuery.invented(adapter.capability.name, types: adapter.capability.types)
        await #expect {
            _ = try await adapter.candidates(for: query)
        } throws: {
            ($0 as? StageFailure)?.code == "bad_json"
        }
    }

    /// What every member may be: missing, null, or of another kind.
    @Test(arguments: names)
    func `reads replies whose members are anything at all`(name: String) async throws {
        let seed: UInt64 = 16
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let whole = try JSONParser.parse(Replies.of(name))
            let text = JSONWriter.text(Mutation.of(whole, using: &random))
            let adapter = try adapter(name) { request in
                request.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(text)
            }
            let query = ProviderQuery.invented(adapter.capability.name, types: adapter.capability.types)
            do throws(StageFailure) {
                for candidate in try await adapter.candidates(for: query) {
                    let again = Candidate(reading: JSONReader(candidate.json))
                    #expect(again == candidate, "seed \(seed): \(text)")
                }
            } catch {
                #expect(error.failureClass == .provider, "seed \(seed): \(text)")
            }
        }
    }

    @Test(arguments: names)
    func `keeps the contract of providers`(name: String) async throws {
        let adapter = try adapter(name)
        let query = ProviderQuery.invented(
            adapter.capability.name,
            types: adapter.capability.types,
            budget: adapter.capability.searchesPrices ? Budget(minimum: 2_000, maximum: 9_000, currency: .usd) : nil,
            place: adapter.capability.searchesPlaces ? Place(city: "San Francisco", state: "CA", country: "US") : nil
        )
        try await CandidateProviderContract.verify(adapter, answering: query)
    }

    @Test(arguments: names)
    func `plans the same few calls for the same query, and says what each asks without its key`(name: String) throws {
        let adapter = try adapter(name)
        let query = ProviderQuery.invented(
            adapter.capability.name,
            (0..<40).map { "phrase \($0)" } + ["cooking", "music"],
            types: adapter.capability.types
        )
        let calls = adapter.calls(for: query)
        #expect((1...6).contains(calls.count))
        #expect(calls.map(\.request.url) == adapter.calls(for: query).map(\.request.url))
        #expect(calls.map(\.request.body) == adapter.calls(for: query).map(\.request.body))
        for call in calls {
            #expect(!call.asks.isEmpty && !call.asks.contains(Adapters.canary))
            #expect(!"\(call.request)".contains(Adapters.canary))
            #expect(!String(reflecting: call).contains(Adapters.canary))
            #expect(call.request.isIdempotent)
        }
    }

    @Test(arguments: ["amazon", "shopify"])
    func `that searches no places tells nobody where somebody lives`(name: String) async throws {
        let sender = ScriptedSender(Adapters.reply)
        let adapter: any LiveService = name == "amazon" ? Adapters.amazon(sender) : Adapters.shopify(sender)
        #expect(!adapter.capability.searchesPlaces)
        let place = Place(city: "Ulaanbaatar", state: "Töv", country: "MN")
        let query = ProviderQuery.invented(adapter.capability.name, types: [.gift], place: place)
        _ = try await adapter.candidates(for: query)
        #expect(!sender.requests.isEmpty)
        for request in sender.requests {
            for word in ["Ulaanbaatar", "Töv", "MN"] { #expect(!request.sent.contains(word)) }
        }
    }
}

extension Replies {
    static func of(_ name: String) -> String {
        switch name {
        case "yelp": yelp
        case "ticketmaster": ticketmaster
        case "amazon": amazon
        case "shopify": shopifyCatalogue
        default: firecrawl
        }
    }
}

/// A document in which some values are something else.
enum Mutation {
    static func of(_ value: JSONValue, using random: inout SeededRandom) -> JSONValue {
        if Int.random(in: 0..<12, using: &random) == 0 { return strange(using: &random) }
        switch value {
        case .array(let items): return .array(items.map { of($0, using: &random) })
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members where Int.random(in: 0..<20, using: &random) != 0 {
                members.append(JSONObject.Member(name: member.name, value: of(member.value, using: &random)))
            }
            return .object(JSONObject(members))
        default: return value
        }
    }

    private static func strange(using random: inout SeededRandom) -> JSONValue {
        let values: [JSONValue] = [
            .null, true, [], [[]], [:], "", " ", "\u{1B}[31m\u{202E}evil", "=cmd|' /C calc'!A0", -1, .integer(.max),
            .number(1e308), .number(-0.5), "1e400", "99999999999999999999", "<script>", "javascript:alert(1)",
            "https://", ["x"], ["a": ["b": "c"]], .string(String(repeating: "é", count: 9_000)),
        ]
        return values.randomElement(using: &random) ?? .null
    }
}

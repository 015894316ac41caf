import Console
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import TestSupport
import Testing

/// A run beside one service that goes wrong, in every way there is; the service takes turns.
@Suite("A service that goes wrong", .onOwnThreads)
struct MisbehavingServiceTests {
    private static let services = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]

    /// The ways in which a service goes wrong; Firecrawl is waited for longer than a test may take.
    private static func ways(of service: String) -> [Misbehaviour] {
        Misbehaviour.all.enumerated().filter { turn, way in
            services[turn % (way.kind == .stalls ? 4 : 5)] == service
        }.map(\.element)
    }

    /// Offers by node, and the reply.
    private static func run(
        _ service: String,
        _ wrong: LoopbackReply
    ) async throws -> (offers: [String: Set<String>], reply: JSONValue, outcome: LiveCommand.Outcome) {
        let simulator = try LiveCommand.simulator { request, usual in
            request.path.hasPrefix("/" + service) ? wrong : usual
        }
        defer { simulator.stop() }
        let folder = try ScratchFolder()
        let trace = folder.file("trace")
        let environment = simulator.environment.merging(["KNOT_LIVE_LIMITS": "none"]) { $1 }
        let outcome = try await LiveCommand.run(
            LiveCommand.patientWords + ["--json", "--trace", trace],
            environment
        )
        var offers: [String: Set<String>] = [:]
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            let event = try JSONParser.parse(Array(line.utf8))
            guard event["event"]?.string == "retrieved", let node = event["node"]?.string else { continue }
            offers[node, default: []].insert(event["item"]?.string ?? "")
        }
        return (offers, try JSONParser.parse(outcome.output), outcome)
    }

    @Test(arguments: services)
    func `takes nothing of the others, and the set is complete`(service: String) async throws {
        let quiet = try await Self.run(service, ProviderSimulator.nothing(by: service))
        #expect(quiet.reply["choices"]?.array?.count == 3)
        for way in Self.ways(of: service) {
            let found = try await Self.run(service, way.reply)
            #expect(found.outcome.code == .done, "\(way) of \(service): \(found.outcome.all)")
            #expect(found.reply["choices"] == quiet.reply["choices"], "\(way) of \(service)")
            for other in Self.services where other != service {
                #expect(found.offers[other]?.isEmpty == false && found.offers[other] == quiet.offers[other], "\(way)")
            }
            let failed = (found.reply["reasons"]?.array ?? []).filter { $0["code"]?.string == "provider_failed" }
            #expect(failed.allSatisfy { $0["node"]?.string == service }, "\(way) of \(service): \(failed)")
            // Of a body that can be read in part, or has nothing that is wanted, the rest is taken.
            #expect(way.kind == .rambles || failed.count == 1, "\(way) of \(service)")
        }
    }
}

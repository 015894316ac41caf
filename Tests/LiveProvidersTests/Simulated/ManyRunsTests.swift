import Fixtures
import Foundation
import HTTPClient
import KnotDomain
import LiveProviders
import LoopbackServer
import ProviderSimulator
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing
import Threads

/// What the services saw: how many calls at once, and when each came.
private final class Witness: Sendable {
    struct Seen {
        var underWay = 0
        var most = 0
        var moments: [ContinuousClock.Instant] = []
    }

    private let seen = Mutex<[String: Seen]>([:])

    func begin(_ service: String) {
        seen.withLock { seen in
            var own = seen[service] ?? Seen()
            own.underWay += 1
            own.moments.append(.now)
            own.most = max(own.most, own.underWay)
            seen[service] = own
        }
    }

    func end(_ service: String) { seen.withLock { $0[service]?.underWay -= 1 } }

    var services: [String: Seen] { seen.withLock { $0 } }
}

@Suite("Many runs at once", .onOwnThreads, .serialized)
struct ManyRunsTests {
    /// What each service's contract allows: calls a second, and how many at once after a pause.
    private static let limits = [
        "yelp": (rate: 3.0, burst: 4), "ticketmaster": (2, 3), "amazon": (1, 2), "shopify": (4, 6),
        "firecrawl": (10.0 / 60, 3),
    ]

    /// How a run fared with one service.
    private enum Fate: Hashable {
        case answered
        case failed(String)
    }

    private static let phrases = ["jazz", "tea", "pottery", "books", "garden", "cooking", "music", "art"]

    @Test func `share connections and replies, and keep every service's limits`() async throws {
        let found = try FixtureLoader().load(Repository.root.appending(path: "fixtures/vaults/dev-01.json").path)
        let witness = Witness()
        let simulator = try ProviderSimulator(found.fixture) { request, usual in
            let service = String(request.path.split(separator: "/")[0])
            // A token is asked for by its own rules.
            guard !request.path.hasSuffix("/token") else { return usual }
            witness.begin(service)
            // The thread of the connection is the server's to keep.
            usleep(50_000)
            witness.end(service)
            return usual
        }
        defer { simulator.stop() }
        let client = try HTTPClient()
        let timers = DeadlineTimers()
        let folder = try ScratchFolder()
        let (environment, path) = (simulator.environment, folder.path)
        let services = LiveServices(
            environment: { environment[$0] },
            zones: ZoneDirectory(),
            now: { Adapters.now },
            sending: { conduct in
                conduct.sender(over: client, quota: conduct.ledger(in: path), timers: timers)
            }
        )
        try #require(services.all.count == 5)
        let fates = await withTaskGroup(of: [String: Fate].self) { group in
            for run in 0..<200 {
                group.addTask { await Self.run(run, services.all) }
            }
            return await group.reduce(into: [[String: Fate]]()) { $0.append($1) }
        }
        #expect(fates.count == 200)
        for fate in fates {
            #expect(fate.values.contains(.answered), "a run that no service answered: \(fate)")
            for (service, own) in fate {
                if case .failed(let code) = own {
                    #expect(code == "overloaded" || code == "timeout", "\(service): \(code)")
                }
            }
        }
        // Of 200 runs with eight questions, most were answered by a call of another.
        #expect(client.counts.connections <= 8 * 5 + 1, "\(client.counts)")
        #expect(client.counts.underWay == 0)
        for (service, seen) in witness.services {
            #expect(seen.most <= 8, "\(service)")
            let limit = try #require(Self.limits[service])
            #expect(seen.moments.count < 200, "\(service) was asked by everybody for himself")
            Self.expect(seen.moments, keeps: limit, of: service)
        }
        #expect(witness.services.count == 5)
    }

    private static func run(_ number: Int, _ services: [any LiveService]) async -> [String: Fate] {
        var fates: [String: Fate] = [:]
        for service in services {
            let query = ProviderQuery.invented(
                service.capability.name,
                [phrases[number % phrases.count]],
                types: service.capability.types,
                place: Place(city: "Macon", state: "GA", country: "US")
            )
            do throws(StageFailure) {
                _ = try await service.candidates(for: query)
                fates[service.capability.name.rawValue] = .answered
            } catch {
                fates[service.capability.name.rawValue] = .failed(error.code)
            }
        }
        return fates
    }

    /// In no stretch of time were there more calls than the contract allows for it.
    private static func expect(
        _ moments: [ContinuousClock.Instant],
        keeps limit: (rate: Double, burst: Int),
        of service: String
    ) {
        for (place, first) in moments.enumerated() {
            for (offset, last) in moments[place...].enumerated() {
                // Calls that left one after the other may come nearer to each other, where a machine has much to do.
                let stretch = first.duration(to: last) + .seconds(2)
                let allowed = limit.burst + Int(limit.rate * (stretch / .seconds(1))) + 1
                #expect(offset + 1 <= allowed, "\(service): \(offset + 1) calls in \(stretch)")
            }
        }
    }
}

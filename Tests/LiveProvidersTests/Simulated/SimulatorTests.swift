import Fixtures
import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain
import LiveProviders
import LoopbackServer
import ProviderSimulator
import Recommendation
import TestSupport
import Testing

/// The judged vaults over HTTP: what the services' shapes can carry comes whole, and what they cannot is known.
@Suite("The simulated services", .serialized)
struct SimulatorTests {
    @Test func `bring every offer, and lose only what their shapes have no place for`() async throws {
        let client = PatientSender(sender: try HTTPClient())
        var brought = 0
        for found in try JudgedFixtures.all() {
            let world = try SimulatedWorld(found, sender: client)
            defer { world.simulator.stop() }
            #expect(world.services.all.count == 5)
            for service in world.services.all {
                let name = service.capability.name
                let query = ProviderQuery(
                    provider: name,
                    phrases: ["a present", "music", "something good"],
                    types: service.capability.types,
                    budget: nil,
                    place: service.capability.searchesPlaces ? found.fixture.vault.location : nil,
                    until: nil,
                    limit: 2_000
                )
                let answer = try await RestoredProvider(service, found.fixture).candidates(for: query)
                for candidate in answer {
                    let own = try #require(found.fixture.candidates.first { $0.id == candidate.id }, "\(candidate.url)")
                    let (sent, came) = (try Self.read(own).json.object, candidate.json.object)
                    let changed = (sent?.names ?? []).filter { sent?[$0] != came?[$0] }
                    let unexplained = Set(changed).subtracting(RestoredProvider.lost[name] ?? [])
                    #expect(unexplained.isEmpty, "\(found.stem) \(own.id) of \(name.rawValue)")
                }
                brought += answer.count
            }
        }
        #expect(brought > 0)
    }

    /// A candidate as whoever reads a service's texts through references of HTML has it.
    private static func read(_ own: Candidate) throws -> Candidate {
        var object = try #require(own.json.object)
        object["description"] = JSONValue(own.description.map(PlainMarkup.decoded))
        return try #require(Candidate(reading: JSONReader(.object(object))))
    }
}

import Fixtures
import HintRules
import JSONDocument
import KnotDomain
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite("Readings and rates beside a fixture", .tags(.database)) struct ReadingImportTests {
    private static func beside(_ name: String) throws -> [UInt8] {
        try FixtureLoader.bytes("\(StoredWorld.root)/fixtures/vaults/\(name)")
    }

    @Test func `readings of other hints are refused`() throws {
        let readings = try Self.beside("readings/dev-02.json")
        #expect(throws: VaultStoreError.self) {
            try FixtureDocument(parsing: ImportedWorld.bytes("dev-01"), readings: readings)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `come in with it, and are the same when they are read`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            let readings = try Self.beside("readings/dev-01.json")
            let document = try FixtureDocument(
                parsing: ImportedWorld.bytes("dev-01"),
                readings: readings,
                rates: Self.beside("rates.json")
            )
            _ = try await world.importer.add(document, until: ImportedWorld.limit)
            let source = PostgresVaultSource(world.pool)
            let stored = try await source.load(document.vault.id)
            let vault = stored.vault
            let read = try await StoredReadings(of: stored, fallback: RulesReader()).reading(
                of: vault,
                tier: document.tier,
                asOf: world.now
            )
            let known = Set(vault.hints.map(\.id))
            let wanted = try #require(
                VaultReading(reading: JSONReader(try JSONParser.parse(readings)), knownHints: known)
            )
            #expect(read.serves == wanted.serves && read.avoid == wanted.avoid)
            #expect(Set(read.hints.map(\.hintID)) == Set(wanted.hints.map(\.hintID)))
            #expect(vault == document.vault)
            #expect(try await world.count("public.vault_imports where rates is not null") == 1)
        }
    }
}

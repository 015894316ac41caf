import Fixtures
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// What was read from a hint's text goes with that text.
@Suite("Readings of a text that is gone", .tags(.database)) struct ForgottenReadingsTests {
    /// A vault with recorded readings and a cached vector, and its person's own hands on it.
    private static func stocked(
        _ world: ImportedWorld
    ) async throws -> (vault: Vault, id: PostgresUUID, keeper: VaultEditor) {
        let folder = "\(StoredWorld.root)/fixtures/vaults"
        let document = try FixtureDocument(
            parsing: ImportedWorld.bytes("dev-01"),
            readings: FixtureLoader.bytes("\(folder)/readings/dev-01.json"),
            rates: FixtureLoader.bytes("\(folder)/rates.json")
        )
        _ = try await world.importer.add(document, until: ImportedWorld.limit)
        let id = try ImportedWorld.id(document)
        try await world.database.run(
            """
            insert into public.text_embeddings (vault_id, model, text_digest, embedding)
            values ('\(id)', 'm', sha256('x'), array_fill(0.5, array[768])::vector)
            """
        )
        return (document.vault, id, VaultEditor(try world.pool(as: document.vault.userID)))
    }

    private func left(_ world: ImportedWorld, of hint: PostgresUUID) async throws -> [Int] {
        [
            try await world.count("public.hint_readings where hint_id = '\(hint)'"),
            try await world.count("public.vault_readings"), try await world.count("public.text_embeddings"),
        ]
    }

    @Test(arguments: ServerVersion.serving)
    func `go when the text is changed, and when the same is said again they stay`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            let (vault, id, keeper) = try await Self.stocked(world)
            let all = try await world.count("public.hint_readings")
            let hint = try #require(vault.hints.first)
            let hintID = try #require(PostgresUUID(hint.id.text))
            try await keeper.edit(hint: hintID, of: id, to: hint.text, until: ImportedWorld.limit)
            try await world.database.run("update public.hints set is_used = true")
            #expect(try await left(world, of: hintID) == [1, 1, 1])
            try await keeper.edit(hint: hintID, of: id, to: "says something else now", until: ImportedWorld.limit)
            #expect(try await left(world, of: hintID) == [0, 0, 0])
            #expect(try await world.count("public.hint_readings") == all - 1, "those of other hints stay")
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `go with the hint, and with the vault`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            let (vault, id, keeper) = try await Self.stocked(world)
            let all = try await world.count("public.hint_readings")
            let hint = try #require(vault.hints.first)
            let hintID = try #require(PostgresUUID(hint.id.text))
            try await keeper.remove(hint: hintID, of: id, until: ImportedWorld.limit)
            #expect(try await left(world, of: hintID) == [0, 0, 0])
            #expect(try await world.count("public.hint_readings") == all - 1, "those of other hints stay")
            _ = try await VaultForgetter(world.pool).forget(id, until: ImportedWorld.limit)
            #expect(try await world.count("public.hint_readings") == 0)
        }
    }

    @Test func `of another vault stay`() async throws {
        try await ImportedWorld.with { world in
            let (vault, id, keeper) = try await Self.stocked(world)
            let other = try FixtureDocument(
                parsing: ImportedWorld.bytes("dev-02"),
                readings: FixtureLoader.bytes("\(StoredWorld.root)/fixtures/vaults/readings/dev-02.json"),
                rates: nil
            )
            _ = try await world.importer.add(other, until: ImportedWorld.limit)
            let hint = try #require(vault.hints.first)
            let hintID = try #require(PostgresUUID(hint.id.text))
            try await keeper.remove(hint: hintID, of: id, until: ImportedWorld.limit)
            #expect(try await world.count("public.vault_readings") == 1)
            #expect(try await world.count("public.hint_readings where vault_id <> '\(id)'") > 0)
        }
    }
}

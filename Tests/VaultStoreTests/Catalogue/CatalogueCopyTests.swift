import Catalogue
import Fixtures
import Foundation
import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

@Suite("A copy of everybody's items", .tags(.database)) struct CatalogueCopyTests {
    private static func withCopy(
        model: String? = "m",
        _ body: (TestDatabase, CatalogueCopy, ScratchFolder) async throws -> Void
    ) async throws {
        let folder = try ScratchFolder()
        try await withDatabase(.eighteen, .migrated) { database in
            let pool = try VaultDatabase.pool(database)
            let copy = try await CatalogueCopy(of: pool, model: model, in: folder.path)
            try await body(database, copy, folder)
        }
    }

    private static func refreshed(
        _ copy: CatalogueCopy,
        within limit: Duration = .seconds(60)
    ) async throws -> CatalogueSnapshot {
        try await copy.refreshed(until: .now + limit)
    }

    private static func title(_ id: String, _ snapshot: CatalogueSnapshot) throws -> String? {
        try snapshot.item(withID: CandidateID("shop:\(id)"))?.candidate.title
    }

    @Test func `that is damaged is made anew`() async throws {
        try await Self.withCopy { database, copy, _ in
            try await database.run(CatalogueScenes.item("a", "Map", vector: (3, "m")))
            #expect(try await Self.refreshed(copy).count == 1)
            let manifest = copy.folder + "/catalogue.json"
            for bytes in ["", "{}", "{\"schema\": \"knot.catalogue/1\", \"segments\": []"] {
                #expect(FileManager.default.createFile(atPath: manifest, contents: Data(bytes.utf8)))
                #expect(!copy.isThere)
                let snapshot = try await Self.refreshed(copy)
                #expect(snapshot.count == 1 && snapshot.vectorCount == 1)
            }
        }
    }

    @Test func `that cannot be made in time or in its folder is none, and what was there stays`() async throws {
        try await Self.withCopy { database, copy, folder in
            try await database.run(CatalogueScenes.item("a", "Map"))
            await #expect(throws: CatalogueCopy.Failure.self) { try await Self.refreshed(copy, within: .seconds(-1)) }
            #expect(!copy.isThere)
            _ = try await Self.refreshed(copy)
            try await database.run(CatalogueScenes.item("b", "Tea"))
            await #expect(throws: CatalogueCopy.Failure.self) { try await Self.refreshed(copy, within: .seconds(-1)) }
            #expect(try CatalogueSnapshot(folder: copy.folder).count == 1)
            _ = try folder.write("", to: "file")
            let pool = try VaultDatabase.pool(database)
            let none = try await CatalogueCopy(of: pool, model: "m", in: folder.file("file"))
            await #expect(throws: CatalogueCopy.Failure.self) { try await Self.refreshed(none) }
        }
    }

    @Test func `follows the table, and is read as it was while another process writes`() async throws {
        try await Self.withCopy { database, copy, _ in
            try await database.run(
                CatalogueScenes.item("a", "Map", vector: (3, "m")) + CatalogueScenes.item("b", "Tea")
            )
            let first = try await Self.refreshed(copy)
            #expect(first.count == 2 && first.vectorCount == 1 && first.model == "m")
            #expect(try await Self.refreshed(copy).mark == first.mark)
            try await database.run(
                "update public.catalogue_items set title = 'Globe' where candidate_id = 'a';"
                    + "delete from public.catalogue_items where candidate_id = 'b';" + CatalogueScenes.item("c", "Hat")
            )
            do {
                let writer = try CatalogueWriter(folder: copy.folder)
                #expect(try await Self.refreshed(copy).mark == first.mark)
                _ = consume writer
            }
            let second = try await Self.refreshed(copy)
            #expect(try Self.title("a", second) == "Globe" && Self.title("b", second) == nil)
            #expect(try Self.title("c", second) == "Hat" && second.vectorCount == 0)
            #expect(try Self.title("a", first) == "Map" && Self.title("b", first) == "Tea")
        }
    }

    @Test func `each database and model has its own`() async throws {
        try await Self.withCopy { database, copy, folder in
            let pool = try VaultDatabase.pool(database)
            try await database.run(CatalogueScenes.item("a", "Map", vector: (3, "m")))
            let words = try await CatalogueCopy(of: pool, model: nil, in: folder.path)
            let other = try await CatalogueCopy(of: pool, model: "other", in: folder.path)
            #expect(Set([copy, words, other].map(\.folder)).count == 3)
            #expect(try await Self.refreshed(words).vectorCount == 0)
            #expect(try await Self.refreshed(other).vectorCount == 0)
            #expect(try await Self.refreshed(copy).vectorCount == 1)
            try await withDatabase(.eighteen, .migrated) { second in
                let elsewhere = try await CatalogueCopy(of: VaultDatabase.pool(second), model: "m", in: folder.path)
                #expect(elsewhere.folder != copy.folder)
                #expect(try await Self.refreshed(elsewhere).count == 0)
            }
        }
    }

    @Test func `several at once make it once and all read it`() async throws {
        try await Self.withCopy { database, copy, _ in
            try await database.run((0..<50).map { CatalogueScenes.item("c\($0)", "Item \($0)") }.joined())
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await Self.refreshed(copy).count } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == [50, 50, 50, 50])
        }
    }

    @Test func `answers a search together with the vault's own, and leaves their vectors for the run`() async throws {
        let folder = try ScratchFolder()
        try await VaultDatabase.withVault { database, fixture, _ in
            let pool = try VaultDatabase.pool(database)
            try await database.run(
                CatalogueScenes.item("a", "Kneeler", vector: (3, "m")) + CatalogueScenes.item("b", "Bad knees")
                    + CatalogueScenes.item("c", "Opera", vector: (9, "m"))
                    + CatalogueScenes.item("d", "Quilt", vault: fixture.vault.id)
            )
            let copy = try await CatalogueCopy(of: pool, model: "m", in: folder.path)
            let shared = SharedCatalogue(pool, model: "m", most: 2) {
                do { return try await copy.refreshed(until: LastResort.end) } catch { return nil }
            }
            let contents = try await shared.read()
            #expect(contents.indexed == nil && contents.copy?.count == 3 && contents.vectorCount == 2)
            let source = PostgresVaultSource(pool, embeddings: .of(model: "m"), readsCatalogue: true)
            let axes = AxisEmbedder(model: "m", axes: ["bad knees": 3])
            for own in [try await source.load(fixture.vault.id).catalogue, nil] {
                let embedder = VaultEmbedder(axes, hints: [], stored: [:], catalogue: own)
                let provider = CatalogueProvider(
                    pool,
                    vault: fixture.vault.id,
                    embedder: embedder,
                    catalogue: own,
                    shared: contents
                )
                let found = try await provider.candidates(for: CatalogueScenes.query(["bad knees"]))
                #expect(Set(found.map(\.title)).isSuperset(of: ["Quilt", "Kneeler", "Bad knees"]))
                #expect(!provider.capabilities.map(\.isInProcess).contains(false))
                let kneeler = try await embedder.embeddings(of: ["Kneeler"])
                #expect(kneeler.first?.values.firstIndex(of: 1) == 3)
            }
            let none = SharedCatalogue(pool, model: "m", most: 2)
            let uncopied = try await none.read()
            #expect(uncopied.copy == nil && uncopied.indexed == nil && uncopied.count == 3)
        }
    }
}

import Catalogue
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite("Everybody's items in memory", .tags(.database)) struct SharedCatalogueTests {
    @Test func `that could not be read are read by the next who asks`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(CatalogueScenes.item("a", "Star map", vector: (3, "m")))
            let shared = SharedCatalogue(try VaultDatabase.pool(database), model: "m", limit: .milliseconds(500))
            let blocker = try await PlainConnection.open(database.url)
            try await blocker.run("begin; lock table public.catalogue_items in access exclusive mode")
            await #expect(throws: PostgresError.self) { try await shared.read() }
            #expect(shared.known?.indexed == nil)
            try await blocker.run("rollback")
            #expect(try await shared.read().vectorCount == 1)
            #expect(shared.known?.indexed?.count == 1)
        }
    }

    @Test func `are read once, however many ask at a time`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(CatalogueScenes.item("a", "Star map") + CatalogueScenes.item("b", "Sea map"))
            let shared = SharedCatalogue(try VaultDatabase.pool(database), model: nil, age: .seconds(3_600))
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...16 { group.addTask { try await shared.read().count } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 2, count: 16))
            // What comes in within that time is looked for after it.
            try await database.run(CatalogueScenes.item("c", "Road map"))
            #expect(try await shared.read().count == 2)
        }
    }

    @Test func `are what the table holds now whenever they are looked at again, else what was read last`() async throws
    {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(CatalogueScenes.item("a", "Star map", vector: (3, "m")))
            let pool = try VaultDatabase.pool(database)
            let shared = SharedCatalogue(pool, model: "m", limit: .seconds(2), age: .zero)
            for count in [1, 1, 1] { #expect(try await shared.read().count == count) }
            try await database.run(CatalogueScenes.item("b", "Sea map"))
            #expect(try await shared.read().count == 2)
            #expect(shared.known?.indexed?.count == 2)
            try await database.run("update public.catalogue_items set embedding = null, embedding_model = null")
            #expect(try await shared.read().vectorCount == 0)
            let blocker = try await PlainConnection.open(database.url)
            try await blocker.run("begin; delete from public.catalogue_items where candidate_id = 'a'")
            #expect(try await shared.read().count == 2)
            try await blocker.run("commit; begin; lock table public.catalogue_items in access exclusive mode")
            #expect(try await shared.read().count == 2)
            try await blocker.run("rollback")
            #expect(try await shared.read().count == 1)
            try await database.run("delete from public.catalogue_items")
            #expect(try await shared.read().count == 0)
        }
    }

    @Test func `of which there are too many stay where they are, counted`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                CatalogueScenes.item("a", "Star map", vector: (3, "m")) + CatalogueScenes.item("b", "Sea map")
            )
            let contents = try await SharedCatalogue(VaultDatabase.pool(database), model: "m", most: 1).read()
            #expect(contents.indexed == nil && contents.count == 2 && contents.vectorCount == 1)
            let none = try await SharedCatalogue(VaultDatabase.pool(database), model: nil, most: 1).read()
            #expect(none.indexed == nil && none.vectorCount == 0)
        }
    }
}

import Catalogue
import Fixtures
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

@Suite("The changes of everybody's items", .tags(.database)) struct CatalogueChangesTests {
    /// A copy as a reader keeps one: by id, what the item is called and where its vector points.
    private struct Copy: Equatable {
        var items: [String: String] = [:]
        var mark: String?
        var problems: [String] = []
        var wasWhole = false

        mutating func update(
            _ pool: ConnectionPool,
            model: String? = "m",
            pageSize: Int = 3,
            between: (Int) async throws -> Void = { _ in }
        ) async throws {
            var changes = try await CatalogueChanges.since(mark, in: pool, model: model, pageSize: pageSize)
            if changes.isWhole { items = [:] }
            (wasWhole, problems) = (changes.isWhole, [])
            var number = 0
            while let page = try await changes.next() {
                for id in page.withdrawn { items[id.text] = nil }
                for item in page.items {
                    let axis = item.vector.map { "@\($0.values.firstIndex { $0 > 0 } ?? -1)" } ?? ""
                    items[item.candidate.id.text] = item.candidate.title + axis
                }
                problems += page.problems.map(\.path)
                try await between(number)
                number += 1
            }
            mark = changes.mark
        }
    }

    private static let key = "catalogue_items_vault_id_source_candidate_id_key"

    private static func withPool(_ body: (TestDatabase, ConnectionPool) async throws -> Void) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await body(database, try VaultDatabase.pool(database))
        }
    }

    /// What everybody is offered, as the database says it to its owner.
    private static func truth(_ database: TestDatabase) async throws -> [String: String] {
        let rows = try await database.run(
            """
            select source || ':' || candidate_id, title from public.catalogue_items
            where vault_id is null and availability not in ('sold_out', 'closed', 'gone')
            """
        )
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", $0[1] ?? "") })
    }

    @Test func `a mark of another database, table, model or form is refused and all is read anew`() async throws {
        try await Self.withPool { database, pool in
            try await database.run(CatalogueScenes.item("a", "Map", vector: (3, "m")))
            var copy = Copy()
            try await copy.update(pool)
            #expect(copy.items == ["shop:a": "Map@3"] && copy.wasWhole)
            let mark = try #require(copy.mark)
            let parts = mark.split(separator: " ").map(String.init)
            let (system, snapshot) = (parts[1], parts[2])
            for other in [
                "", "x", mark.replacing(system, with: "1" + system), mark + "2", mark.replacing(snapshot, with: "5:4:"),
                mark.replacing(snapshot, with: "4:9:4,3"), mark.replacing(snapshot, with: "4:9:,"),
                mark.replacing("/2", with: "/1"), mark.replacing("/2", with: "/3"),
                // Of a server that was set back since, by a copy of its files.
                mark.replacing(snapshot, with: "9999999999:9999999999:"),
            ] {
                copy.mark = other
                try await copy.update(pool)
                #expect(copy.wasWhole, "\(other)")
            }
            try await copy.update(pool)
            #expect(!copy.wasWhole)
            try await withDatabase(.eighteen, .migrated) { other in
                try await copy.update(VaultDatabase.pool(other))
                #expect(copy.wasWhole && copy.items == [:])
            }
            try await copy.update(pool, model: nil)
            #expect(copy.wasWhole && copy.items == ["shop:a": "Map"])
        }
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1, 2])
    func `a copy has all that was committed, however late and in whatever order`(seed: UInt64) async throws {
        try await Self.withPool { database, pool in
            var random = SeededRandom(seed: seed)
            var writers: [PlainConnection] = []
            for _ in 0..<4 { writers.append(try await PlainConnection.open(database.url)) }
            var isOpen = Array(repeating: false, count: writers.count)
            var copy = Copy()
            for step in 0..<160 {
                // Each has ids of its own, so that none waits for another's row.
                let one = Int.random(in: 0..<writers.count, using: &random)
                let id = "w\(one)-\(Int.random(in: 0..<4, using: &random))"
                let key = "source = 'shop' and candidate_id = '\(id)'"
                let sql =
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0, 1, 2:
                        CatalogueScenes.item(id, "T\(step)").replacing(
                            ";",
                            with: " on conflict on constraint \(Self.key) do update set title = 'T\(step)';"
                        )
                    case 3: "update public.catalogue_items set title = 'T\(step)' where \(key)"
                    case 4: "delete from public.catalogue_items where \(key)"
                    case 5 where isOpen[one]:
                        "savepoint s; update public.catalogue_items set title = 'no' where \(key); rollback to s"
                    default: isOpen[one] ? (step % 5 == 0 ? "rollback" : "commit") : "begin"
                    }
                try await writers[one].run(sql)
                if sql == "begin" || sql == "commit" || sql == "rollback" { isOpen[one].toggle() }
                guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
                try await copy.update(pool)
                #expect(try await copy.items == Self.truth(database), "seed \(seed), step \(step)")
            }
            for writer in writers where isOpen.removeFirst() { try await writer.run("commit") }
            try await copy.update(pool)
            #expect(try await copy.items == Self.truth(database), "seed \(seed)")
            let mark = copy.mark
            try await copy.update(pool) { _ in Issue.record("nothing changed, seed \(seed)") }
            #expect(copy.mark?.split(separator: " ")[1] == mark?.split(separator: " ")[1])
        }
    }

    @Test func `what changes while pages are read is in the next reading at the latest`() async throws {
        try await Self.withPool { database, pool in
            for number in 0..<9 { try await database.run(CatalogueScenes.item("c\(number)", "First")) }
            var copy = Copy()
            for round in 0..<2 {
                try await copy.update(pool, pageSize: 2) { page in
                    try await database.run(
                        """
                        update public.catalogue_items set title = 'Round \(round), page \(page)'
                            where candidate_id in ('c\(page)', 'c\(8 - page)');
                        delete from public.catalogue_items where candidate_id = 'c\(2 + 3 * round)';
                        \(page == 0 ? CatalogueScenes.item("new\(round)", "New") : "")
                        """
                    )
                }
                #expect(copy.wasWhole == (round == 0))
            }
            try await copy.update(pool)
            #expect(try await copy.items == Self.truth(database))
            #expect(copy.items.count == 9 && copy.items["shop:c2"] == nil)
        }
    }

    @Test func `an item that is no candidate is withdrawn with what is wrong with it`() async throws {
        try await Self.withPool { database, pool in
            try await database.run(CatalogueScenes.item("a", "Map") + CatalogueScenes.item("b", "Tea"))
            var copy = Copy()
            try await copy.update(pool)
            try await database.run(
                "update public.catalogue_items set url = 'javascript:alert(1)' where candidate_id = 'a'"
            )
            try await copy.update(pool)
            #expect(copy.items == ["shop:b": "Tea"])
            #expect(copy.problems.count == 1 && copy.problems[0].hasSuffix(".url"))
            var fresh = Copy()
            try await fresh.update(pool)
            #expect(fresh.items == copy.items && fresh.problems == copy.problems)
        }
    }

    @Test(arguments: ["sold_out", "closed", "gone"])
    func `an item that is imported as not to be had is withdrawn, and back when it can be had`(
        check: String
    ) async throws {
        try await Self.withPool { database, pool in
            func bring(_ check: String) async throws -> CatalogueImport.Counts {
                let owner = try VaultDatabase.pool(database, user: "knot")
                var part = CatalogueImport(owner, source: "shop", isDryRun: false, limit: .seconds(10))
                let offers = ["a", "b"].map { id in
                    var fields = Candidate.invented(id, "Map of \(id)").json.object ?? JSONObject()
                    if id == "a" { fields["check"] = .string(check) }
                    return CatalogueOffer(reading: JSONReader(.object(fields)))
                }
                _ = try await part.add(offers.compactMap(\.self))
                return part.counts
            }
            var copy = Copy()
            for (round, state) in ["available", check, "blocked", check, "price_changed", "available"].enumerated() {
                let counts = try await bring(state)
                #expect(round == 0 ? counts.added == 2 : counts.changed == 1 && counts.unchanged == 1)
                try await copy.update(pool)
                var fresh = Copy()
                try await fresh.update(pool)
                let isThere = state != check
                #expect((copy.items["shop:a"] != nil) == isThere && copy.items.count == (isThere ? 2 : 1))
                #expect(fresh.items == copy.items && copy.wasWhole == (round == 0))
            }
        }
    }

    @Test func `what gets another name, a vault of its own or is emptied out is withdrawn`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let pool = try VaultDatabase.pool(database)
            try await database.run(
                ["a", "b", "c", "d"].map { CatalogueScenes.item($0, $0) }.joined()
                    + CatalogueScenes.item("own", "Quilt", vault: fixture.vault.id)
            )
            var copy = Copy()
            try await copy.update(pool)
            #expect(copy.items.keys.sorted() == ["shop:a", "shop:b", "shop:c", "shop:d"])
            try await database.run(
                """
                update public.catalogue_items set candidate_id = 'z' where candidate_id = 'a';
                update public.catalogue_items set vault_id = '\(fixture.vault.id)' where candidate_id = 'b';
                update public.catalogue_items set vault_id = null where candidate_id = 'own';
                """
            )
            try await copy.update(pool)
            #expect(copy.items.keys.sorted() == ["shop:c", "shop:d", "shop:own", "shop:z"])
            try await database.run(
                "truncate public.catalogue_items;" + CatalogueScenes.item("c", "Back again")
            )
            try await copy.update(pool)
            #expect(copy.items == ["shop:c": "Back again"] && !copy.wasWhole)
        }
    }

    /// Numbers of changes are those of a server's transactions: a younger one comes to them only later, one after another.
    @Test func `what came back on another server is not withdrawn by what that server noted before`() async throws {
        try await Self.withPool { database, pool in
            try await database.run(CatalogueScenes.item("a", "Map") + CatalogueScenes.item("b", "Tea"))
            var copy = Copy()
            try await copy.update(pool)
            try await database.run(
                "insert into public.catalogue_withdrawn (source, candidate_id) values ('shop', 'a'), ('shop', 'c')"
            )
            try await copy.update(pool)
            #expect(!copy.wasWhole && copy.items == ["shop:a": "Map", "shop:b": "Tea"])
            try await database.run("delete from public.catalogue_items where candidate_id = 'a'")
            try await copy.update(pool)
            #expect(copy.items == ["shop:b": "Tea"])
        }
    }

    @Test func `only what a search or a candidate shows is a change`() async throws {
        try await Self.withPool { database, pool in
            try await database.run(CatalogueScenes.item("a", "Map", vector: (3, "m")))
            func isNumberedAnew(by change: String) async throws -> Bool {
                let look = "select change::text from public.catalogue_items"
                let before = try await database.run(look)
                try await database.run("update public.catalogue_items set \(change)")
                return try await database.run(look) != before
            }
            // That something can be had or no longer is numbered by who imports it.
            let unseen = ["title = title, embedding = embedding", "raw = '{}'", "availability = 'blocked'"]
            for change in unseen {
                #expect(try await !isNumberedAnew(by: change), "\(change)")
            }
            for change in [
                "candidate_id = 'b'", "source = 'b'", "provider = 'yelp'", "type = 'date'", "title = 'b'",
                "description = null", "url = 'https://b.example'", "image_url = 'https://b.example'", "price_cents = 1",
                "currency = 'EUR'", "merchant = 'b'", "location_city = 'b'", "location_state = 'b'",
                "location_country = 'US'", "starts_at = now()", "rating = 1", "review_count = 1", "ships_in_days = 1",
                "tags = '{b}'", "embedding = array_fill(2, array[768])::public.vector, embedding_model = 'm'",
                "embedding_model = 'n'", "embedding = null, embedding_model = null",
            ] {
                #expect(try await isNumberedAnew(by: change), "\(change)")
            }
            var copy = Copy()
            try await copy.update(pool)
            #expect(copy.items == ["b:b": "b"])
        }
    }

    @Test func `a page holds no more than so many bytes of texts, and a single item any`() async throws {
        try await Self.withPool { database, pool in
            let long = "update public.catalogue_items set description = repeat('long ', 2000000)"
            for id in ["a", "b", "c"] { try await database.run(CatalogueScenes.item(id, id)) }
            try await database.run(long)
            var copy = Copy()
            var pages = 0
            try await copy.update(pool, pageSize: 100) { _ in pages += 1 }
            #expect(copy.items.count == 3 && pages == 2)
        }
    }

    @Test func `the worker and a person read them alike`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            try await database.run(CatalogueScenes.item("a", "Map") + CatalogueScenes.item("b", "Tea"))
            let person = try VaultDatabase.pool(
                database,
                user: "knot_person",
                as: .person(fixture.vault.userID)
            )
            var (mine, theirs) = (Copy(), Copy())
            try await mine.update(VaultDatabase.pool(database))
            try await theirs.update(person)
            #expect(mine.items.count == 2 && mine.items == theirs.items)
            try await database.run("delete from public.catalogue_items where candidate_id = 'a'")
            try await mine.update(VaultDatabase.pool(database))
            try await theirs.update(person)
            #expect(mine.items == ["shop:b": "Tea"] && mine.items == theirs.items && !theirs.wasWhole)
        }
    }
}

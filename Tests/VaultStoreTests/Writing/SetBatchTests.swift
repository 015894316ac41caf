import Fixtures
import InventedSets
import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite("Storing sets together", .tags(.database)) struct SetBatchTests {
    private static let limit = Duration.seconds(60)

    @Test(arguments: ServerVersion.serving)
    func `a set whose vault was deleted takes no other with it`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let other = try await Self.vault("dev-02", in: database)
            try await database.run("delete from public.partner_vaults where id = '\(other)'")
            let sets = try [world.vault.description, other, world.vault.description].enumerated().map { place, vault in
                PendingSet(try InventedSet.record(vault: VaultID(vault), request: "r\(place)"))
            }
            let endings = await ChoiceStore(try world.pool()).store(all: sets, each: Self.limit)
            #expect(endings.map { Self.code($0) } == [nil, .vaultGone, nil])
            #expect(try await world.count("public.recommendation_runs") == 2)
            #expect(try await world.count("public.recommendations where run_id is not null") == 6)
        }
    }

    @Test func `a vault that is deleted in this very moment takes no other with it`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let other = try await Self.vault("dev-02", in: database)
            let sets = try [world.vault.description, other].enumerated().map { place, vault in
                PendingSet(try InventedSet.record(vault: VaultID(vault), request: "r\(place)"))
            }
            let rival = try await PlainConnection.open(database.url)
            _ = try await rival.run("begin")
            _ = try await rival.run("delete from public.partner_vaults where id = '\(other)'")
            let store = ChoiceStore(try world.pool())
            async let endings = store.store(all: sets, each: Self.limit)
            let waiting = "pg_stat_activity where wait_event_type = 'Lock' and usename = 'knot_worker'"
            while try await world.count(waiting) == 0 { await Task.yield() }
            _ = try await rival.run("commit")
            #expect(await endings.map { Self.code($0) } == [nil, .vaultGone])
            #expect(try await world.count("public.recommendation_runs") == 1)
            #expect(try await world.count("public.recommendations where run_id is not null") == 3)
        }
    }

    @Test func `a set that the database refuses takes no other with it`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let torn = try InventedSet.record(vault: world.brief.vault.id, request: "torn", rows: 2)
            let records = [try world.record("r1"), torn, try world.record("r2")]
            let store = ChoiceStore(try world.pool())
            let endings = await store.store(all: records.map { PendingSet($0) }, each: Self.limit)
            #expect(endings.map { Self.code($0) } == [nil, .unrepresentable, nil])
            #expect(try await world.count("public.recommendation_runs") == 2)
        }
    }

    @Test func `without the right to write each set says so`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store("knot_person")
            let records = [try world.record("r1"), try world.record("r2")]
            let endings = await store.store(all: records.map { PendingSet($0) }, each: Self.limit)
            for ending in endings {
                guard case .database(let error) = Self.code(ending) else { return #expect(Bool(false), "\(ending)") }
                #expect(error.code == .notPermitted)
            }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `what is stored together is the same as what is stored alone`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store()
            _ = try await store.store(world.record("alone"), until: .now + Self.limit)
            let alone = try await database.run("select id from public.hints where is_used order by id")
            try await database.run("update public.hints set is_used = false")
            let records = [try world.record("together"), try world.record("too")]
            let endings = await store.store(all: records.map { PendingSet($0) }, each: Self.limit)
            #expect(endings.map { Self.code($0) } == [nil, nil])
            #expect(try endings.map { try $0.get().isNew } == [true, true])
            let written = "(select distinct xmin::text from public.recommendation_runs where request <> 'alone') t"
            #expect(try await world.count(written) == 1, "they were stored one by one")
            #expect(try endings.map { try $0.get().result } == records.map(\.result))
            let runs = try await database.run(
                """
                select distinct to_jsonb(n) - 'id' - 'identity' - 'request' - 'created_at' - 'result', result->>'choices'
                from public.recommendation_runs n
                """
            )
            let rows = try await database.run(
                """
                select distinct to_jsonb(r) - 'id' - 'run_id' - 'created_at' from public.recommendations r
                where r.run_id is not null
                """
            )
            #expect(runs.count == 1 && rows.count == 3)
            #expect(try await world.count("public.recommendations where run_id is not null") == 9)
            #expect(try await database.run("select id from public.hints where is_used order by id") == alone)
            let kept = try await database.run("select result::text from public.recommendation_runs order by request")
            #expect(kept.dropFirst().map { $0[0] } == records.map(\.result))
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `a set is stored while no other came since its vault was read, and else its first set or nothing`(
        version: ServerVersion
    ) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store()
            let mark = try await Self.mark(world)
            // Together, and each alone: of two sets of one vault that know as much, one is stored.
            let sets = try ["a", "b"].map { PendingSet(try world.record($0), after: mark) }
            let endings = await store.store(all: sets, each: Self.limit)
            #expect(endings.map { Self.code($0) } == [nil, .overtaken])
            #expect(Self.code(await store.store(all: [sets[1]], each: Self.limit)[0]) == .overtaken)
            let again = try await store.store(all: [sets[0]], each: Self.limit)[0].get()
            #expect(!again.isNew && again.result == sets[0].record.result, "its own set is no other's")
            #expect(try await world.count("public.recommendation_runs") == 1)
            let later = try await Self.mark(world)
            #expect(later != mark)
            let second = try await store.store(all: [PendingSet(world.record("b"), after: later)], each: Self.limit)[0]
                .get()
            #expect(second.isNew)
            // Another vault's sets are no rivals.
            let other = try await Self.vault("dev-02", in: database)
            let theirs = PendingSet(try InventedSet.record(vault: VaultID(other), request: "a"), after: mark)
            #expect(Self.code(await store.store(all: [theirs], each: Self.limit)[0]) == nil)
        }
    }

    @Test func `of sixteen writers that read one vault at one moment one stores its set`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = ChoiceStore(try world.pool(limit: 16))
            let mark = try await Self.mark(world)
            let endings = try await withThrowingTaskGroup(of: VaultStoreError.Code?.self) { group in
                for writer in 0..<16 {
                    let set = PendingSet(try world.record("r\(writer)"), after: mark)
                    group.addTask { Self.code(await store.store(all: [set], each: Self.limit)[0]) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(endings.count { $0 == nil } == 1 && endings.count { $0 == .overtaken } == 15, "\(endings)")
            #expect(try await world.count("public.recommendation_runs") == 1)
        }
    }

    /// What a reader of the vault has as its mark.
    private static func mark(_ world: StoredWorld) async throws -> String {
        let source = PostgresVaultSource(try world.pool(), limit: limit)
        return try #require(try await source.load(VaultID(world.vault.description)).historyMark)
    }

    @Test(arguments: ServerVersion.serving)
    func `a repeat returns the first sets, and only what is new is written`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store()
            let first = try ["a", "b"].map { PendingSet(try world.record($0)) }
            #expect(try await store.store(all: first, each: Self.limit).allSatisfy { try $0.get().isNew })
            let before = try await world.snapshot()
            let again = try await store.store(all: first, each: Self.limit).map { try $0.get() }
            #expect(again.map(\.isNew) == [false, false] && again.map(\.result) == first.map(\.record.result))
            #expect(try await world.snapshot() == before)
            // The same one twice in a batch as well.
            let mixed = try ["c", "a", "d", "c"].map { PendingSet(try world.record($0)) }
            let endings = try await store.store(all: mixed, each: Self.limit).map { try $0.get() }
            #expect(endings.map(\.isNew) == [true, false, true, false])
            #expect(endings.map(\.result) == mixed.map(\.record.result))
            #expect(try await world.count("public.recommendation_runs") == 4)
            #expect(try await world.count("public.recommendations where run_id is not null") == 12)
            let vault = VaultID(world.vault.description)
            let known = try await store.answers(to: "a", of: [vault], until: .now + Self.limit)
            #expect(known[vault]?.outcome == world.run.outcome.rawValue)
            #expect(known[vault]?.set.result == first[0].record.result)
            #expect(try await store.answers(to: "e", of: [vault], until: .now + Self.limit).isEmpty)
        }
    }

    @Test func `a person stores sets of their own vault and of no other`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let other = try await Self.vault("dev-02", in: database)
            let own = ChoiceStore(try world.pool("knot_person", as: .person(world.brief.vault.userID)))
            let sets = try [world.vault.description, other, world.vault.description].enumerated().map { place, vault in
                PendingSet(try InventedSet.record(vault: VaultID(vault), request: "r\(place)"))
            }
            let endings = await own.store(all: sets, each: Self.limit)
            #expect(endings.map { Self.code($0) } == [nil, .vaultGone, nil])
            #expect(try await world.count("public.recommendation_runs where vault_id = '\(other)'") == 0)
        }
    }

    /// Imports a fixture and returns the id of its vault.
    private static func vault(_ stem: String, in database: TestDatabase) async throws -> String {
        let pool = try ConnectionPool(to: ConnectionTarget(url: database.url), PoolSettings(limit: 1))
        let document = try FixtureDocument(parsing: FixtureLoader.bytes(StoredWorld.path(stem)))
        _ = try await VaultImporter(pool).add(document, until: .now + limit)
        await pool.close()
        return try FixtureLoader().load(StoredWorld.path(stem)).fixture.vault.id.text.lowercased()
    }

    private static func code(_ ending: ChoiceStore.Stored) -> VaultStoreError.Code? {
        if case .failure(let error) = ending { error.code } else { nil }
    }
}

import InventedSets
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

@Suite("Storing a set", .tags(.database)) struct ChoiceStoreTests {
    private static var limit: ContinuousClock.Instant { LastResort.end }

    @Test(arguments: ServerVersion.serving)
    func `a vault that was deleted meanwhile ends it, and nothing is stored`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            try await database.run("delete from public.partner_vaults")
            let before = try await world.snapshot()
            let store = try world.store()
            let record = try world.record()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await store.store(record, until: Self.limit)
            }
            #expect(code == .vaultGone)
            #expect(try await world.snapshot() == before)
        }
    }

    @Test func `a set on demand outlives its milestone`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            try await database.run("delete from public.partner_milestones where id = '\(world.milestone)'")
            let set = try await world.store().store(world.record(), until: Self.limit)
            #expect(set.isNew)
            #expect(try await world.count("public.recommendation_runs where milestone_id is null") == 1)
            #expect(
                try await world.count("public.recommendations where milestone_id is null and run_id is not null") == 3
            )
        }
    }

    @Test func `a scheduled set without its milestone is not stored`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            try await database.run("delete from public.partner_milestones where id = '\(world.milestone)'")
            let record = try SetRecord(world.run, world.request("m:x:y:7", kind: .scheduled))
            let store = try world.store()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await store.store(record, until: Self.limit)
            }
            #expect(code == .milestoneGone)
            #expect(try await world.count("public.recommendation_runs") == 0)
        }
    }

    /// A fine gift costs more than 21 million rupiah, and one offer of a live shop is not to cost the whole set.
    @Test func `a price that is too long for its column is in the total and not in it`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            var costly = try world.record()
            let offer = Offer(.invented("yacht", "Yacht", price: Int(Int32.max) + 1))
            costly.choices[0] = ChoiceRow(
                position: 1,
                ranked: Ranked(item: offer, total: costly.choices[0].ranked.total),
                budgetCents: nil,
                availability: "available",
                reason: "It floats.",
                hints: []
            )
            let record = costly
            let store = try world.store()
            #expect(try await store.store(record, until: Self.limit).isNew)
            let long = "price_cents is null and total_cents = 2147483648 and party = 1"
            #expect(try await world.count("public.recommendations where run_id is not null and \(long)") == 1)
        }
    }

    @Test func `two rows are no set`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            var torn = try world.record()
            torn.choices.removeLast()
            let record = torn
            let store = try world.store()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await store.store(record, until: Self.limit)
            }
            #expect(code == .unrepresentable)
            #expect(try await world.count("public.recommendation_runs") == 0)
        }
    }

    @Test func `a role without the right is told so`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store("knot_person")
            let record = try world.record()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await store.store(record, until: Self.limit)
            }
            guard case .database(let error) = code else { return #expect(Bool(false), "\(String(describing: code))") }
            #expect(error.code == .notPermitted)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `only the run, its rows and its hints change`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let before = try await world.snapshot()
            let record = try world.record()
            let set = try await world.store().store(record, until: Self.limit)
            let after = try await world.snapshot()
            #expect(set.isNew && set.result == record.result)
            #expect(try JSONParser.parse(Array(set.result.utf8))["stored"]?.bool == true)
            let changed = before.keys.filter { before[$0] != after[$0] }.sorted()
            #expect(changed == ["public.hints", "public.recommendation_runs", "public.recommendations"])
            #expect(!record.hints.isEmpty)
            #expect(try await world.count("public.hints where is_used") >= record.hints.count)
            let rows = try await database.run(
                """
                select r.position, r.candidate_id, r.score = (c->>'score')::float8, r.evidence = (c->'evidence')::jsonb,
                    r.price_cents::text is not distinct from c->>'price_cents', r.title = c->>'title',
                    r.hint_ids::text[] = array(
                        select json_array_elements_text(c->'hint_ids'))
                from public.recommendations r join public.recommendation_runs n on n.id = r.run_id
                join json_array_elements(n.result->'choices') c on (c->>'position')::int = r.position order by 1
                """
            )
            #expect(rows.count == 3)
            for row in rows { #expect(row[2...] == ["t", "t", "t", "t", "t"]) }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `a repeat returns the first result byte for byte and changes nothing`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store()
            let first = try await store.store(world.record(), until: Self.limit)
            let before = try await world.snapshot()
            let again = try await store.store(world.record(), until: Self.limit)
            #expect(!again.isNew && again.result == first.result && !again.isOfAnotherPipeline)
            let classic = try await StoredWorld.run("dev-01", "classic")
            let other = try await store.store(SetRecord(classic, world.request()), until: Self.limit)
            #expect(!other.isNew && other.result == first.result)
            #expect(other.isOfAnotherPipeline && other.pipelineName == "choice-of-three")
            #expect(try await world.snapshot() == before)
            let known = try await store.stored(world.record().identity, until: Self.limit)
            #expect(known?.result == first.result)
            #expect(try await store.stored(world.record("r2").identity, until: Self.limit) == nil)
        }
    }

    @Test func `a refresh points at the set it takes the place of, and deletes nothing`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store()
            let first = try await store.store(world.record(), until: Self.limit)
            let refreshed = try await StoredWorld.run(
                "dev-01",
                "choice-of-three",
                refresh: RefreshRequest(round: 1, rejections: [])
            )
            let request = world.request("r:\(first.runID):1", kind: .refresh, supersedes: first.runID)
            let second = try await store.store(SetRecord(refreshed, request), until: Self.limit)
            #expect(second.isNew && second.runID != first.runID)
            #expect(
                try await world.count("public.recommendation_runs where supersedes = '\(first.runID)' and round = 1")
                    == 1
            )
            #expect(try await world.count("public.recommendations where run_id is not null") == 6)
            let pool = try world.pool()
            let history = try await SetHistory(pool).page(of: world.vault, limit: 10, until: Self.limit).sets
            #expect(history.map(\.runID) == [second.runID, first.runID])
            #expect(history[1].supersededBy == second.runID)
        }
    }

    @Test func `a person stores a set of their own vault and of no other`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let stranger = UserID("11111111-1111-4111-8111-111111111111")
            let foreign = ChoiceStore(try world.pool("knot_person", as: .person(stranger)))
            let record = try world.record()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await foreign.store(record, until: Self.limit)
            }
            #expect(code == .vaultGone)
            let own = ChoiceStore(try world.pool("knot_person", as: .person(world.brief.vault.userID)))
            #expect(try await own.store(record, until: Self.limit).isNew)
            #expect(try await !own.store(record, until: Self.limit).isNew)
        }
    }

    @Test func `a short set is not stored unless that is asked for`() async throws {
        var scene = Scene([.invented("a", "Lamp"), .invented("b", "Globe", merchant: "Other")])
        scene.likes = ["Art"]
        let run = try await scene.run()
        let request = WriteRequest(kind: .onDemand, request: "r", inputDigest: "", engineVersion: "test")
        #expect(throws: VaultStoreError.self) { try SetRecord(run, request) }
    }
}

import InventedSets
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("A writer's turn at a vault", .tags(.database)) struct VaultTurnTests {
    private static let stranger = "bbbbbbbb-0000-4000-8000-000000000002"

    /// Locks that a person with SQL access may take on a vault that is not theirs.
    private static let locks = [
        "select pg_advisory_xact_lock(hashtextextended(v.id::text, 7165074262157317)) from (values ('?')) v (id)",
        "select id from public.partner_vaults for update",
        "select id from public.partner_vaults where id = '?' for update",
    ]

    @Test(arguments: locks, ["knot_worker", "knot"])
    func `comes whatever another person locks`(lock: String, role: String) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let holder = try await PlainConnection.open(database.url(user: "knot_person"))
            let claims = "{\"role\": \"authenticated\", \"sub\": \"\(Self.stranger)\"}"
            try await holder.run("begin; set local role authenticated; set local request.jwt.claims = '\(claims)'")
            try await holder.run(lock.replacing("?", with: world.vault.description))
            let sets = [PendingSet(try world.record("a"))]
            let pool = try world.pool(role)
            let endings = await ChoiceStore(pool).store(all: sets, each: .seconds(3))
            #expect(try endings[0].get().isNew)
            try await holder.run("rollback")
            await pool.close()
        }
    }

    @Test func `is all that a worker may do to the row of a vault`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let worker = try await PlainConnection.open(database.url(user: "knot_worker"))
            let locked = try await worker.run(
                "select id from public.partner_vaults where id = '\(world.vault)' for no key update"
            )
            #expect(locked.count == 1)
            for change in ["id = id", "id = gen_random_uuid()", "partner_name = 'Bo'"] {
                await #expect(throws: DatabaseTestError.self) {
                    try await worker.run("update public.partner_vaults set \(change)")
                }
            }
        }
    }
}

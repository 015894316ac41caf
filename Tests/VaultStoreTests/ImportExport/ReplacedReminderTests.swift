import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// What becomes of a vault's reminders when another vault takes its place.
@Suite(.tags(.database)) struct ReplacedReminderTests {
    /// Who replaces: an import, the operator who edits, and a person whose operator connects.
    private enum Way: String, CaseIterable {
        case importing, editing, acting
    }

    /// A vault with one reminder in the queue, and what replaces it by another that has the same milestones.
    private static func with(
        _ way: Way,
        _ body: (_ world: ImportedWorld, _ replace: () async -> VaultStoreError?) async throws -> Void
    ) async throws {
        try await ImportedWorld.with { world in
            let document = try FixtureDocument(parsing: try ImportedWorld.bytes("dev-01"))
            _ = try await world.importer.add(document, until: ImportedWorld.limit)
            _ = try await world.database.run(
                """
                select api.enqueue(array[m.id], array[current_date + 7], array[7], array[knot.clock()])
                from public.partner_milestones m order by m.id limit 1
                """
            )
            let other = try ImportedWorld.value("dev-01").setting("Somebody else", at: "vault.partner_name")
            let file = try FixtureDocument(parsing: JSONWriter.bytes(other))
            let new = try NewVault(reading: other)
            let theirs = try world.pool(as: UserID(document.vault.userID.text))
            try await body(world) {
                await ImportedWorld.refusal { () async throws(VaultStoreError) in
                    switch way {
                    case .importing:
                        _ = try await world.importer.add(file, replaces: true, until: ImportedWorld.limit)
                    case .editing, .acting:
                        let editor = VaultEditor(way == .editing ? world.pool : theirs)
                        _ = try await editor.create(new, replaces: true, until: ImportedWorld.limit)
                    }
                }
            }
            await theirs.close()
        }
    }

    @Test(arguments: Way.allCases)
    private func `nobody replaces a vault while a worker tells of it`(way: Way) async throws {
        try await Self.with(way) { world, replace in
            _ = try await world.database.run("select api.claim_jobs(gen_random_uuid())")
            #expect(await replace()?.code == .leaseLost)
            #expect(try await world.count("public.partner_vaults where partner_name = 'Somebody else'") == 0)
            // The worker is dead, and had told nobody.
            _ = try await world.database.run(
                "update public.recommendation_jobs set lease_until = now() - interval '1 s'"
            )
            #expect(await replace() == nil)
            #expect(try await world.count("public.recommendation_jobs") == 0)
        }
    }

    @Test(arguments: Way.allCases)
    private func `what may have been told of is told of again under the same name, in the same words`(
        way: Way
    ) async throws {
        try await Self.with(way) { world, replace in
            _ = try await world.database.run(
                """
                select api.begin_notices(
                        array[c.notification_id], array[c.job_id], array[c.claim_token], array[c.notification_id],
                        array['{"b":  1, "a": "\u{E9}"}']
                    ),
                    api.fail(c.job_id, c.claim_token, 'provider', 'http_503')
                from api.claim_jobs(gen_random_uuid()) c
                """
            )
            let look = """
                select j.id, j.notice_id, j.state, j.attempt, j.run_at, n.status, n.scheduled_for, k.content, k.begun_at
                from public.recommendation_jobs j join public.notification_queue n on n.id = j.notification_id
                join public.recommendation_notices k on k.vault_id = j.vault_id and k.id = j.notice_id
                """
            let before = try await world.database.run(look)
            #expect(before.count == 1)
            #expect(await replace() == nil)
            #expect(try await world.database.run(look) == before)
            #expect(try await world.count("public.partner_vaults where partner_name = 'Somebody else'") == 1)
        }
    }

    /// What somebody did with the reminder before, and whether a plan may bring it back.
    private struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let isSettled: Bool
    }

    private static let endings = [
        Ending(
            testDescription: "an operator ended it",
            sql: """
                select api.settle_notification(notification_id, 'cancelled') from public.recommendation_jobs;
                select api.cancel(id) from public.recommendation_jobs
                """,
            isSettled: true
        ),
        Ending(
            testDescription: "the app ended it, and its job waits",
            sql: "update public.notification_queue set status = 'cancelled'",
            isSettled: true
        ),
        Ending(
            testDescription: "a plan called it off",
            sql: "select api.cancel(id) from public.recommendation_jobs",
            isSettled: false
        ),
        Ending(testDescription: "nothing", sql: "select 1", isSettled: false),
    ]

    @Test(arguments: Way.allCases, endings)
    private func `what was ended for good stays so`(way: Way, ending: Ending) async throws {
        try await Self.with(way) { world, replace in
            _ = try await world.database.run(ending.sql)
            #expect(await replace() == nil)
            let kept = try await world.count("public.notification_queue where status = 'cancelled'")
            #expect(kept == (ending.isSettled ? 1 : 0))
            #expect(try await world.count("public.notification_queue where status = 'pending'") == 0)
            #expect(try await world.count("public.recommendation_jobs") == 0)
        }
    }
}

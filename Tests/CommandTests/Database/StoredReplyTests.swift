import Arguments
import Console
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import Synchronization
import TestSupport
import Testing

@testable import Composition

/// Runs that keep what services answered in the database, each in a home of its own as on a machine of its own.
@Suite("Replies that are kept in the database", .onOwnThreads, .serialized, .tags(.database))
struct StoredReplyTests {
    /// Whether the services are in order.
    private final class Health: Sendable {
        let isDown = Atomic(false)
    }

    private static let note = "it does not answer now, and what it answered"

    private static func withServices(
        _ body: (_ run: (String) async throws -> LiveCommand.Outcome, _ health: Health, TestDatabase) async throws ->
            Void
    ) async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let health = Health()
            // Tokens are given by somebody else, and are not kept.
            let simulator = try LiveCommand.simulator { request, usual in
                health.isDown.load(ordering: .relaxed) && !request.path.hasSuffix("/token")
                    ? .html("<html>Sorry</html>", status: 503) : usual
            }
            defer { simulator.stop() }
            let environment = simulator.environment.merging([
                "DATABASE_URL": database.url(user: "knot_worker"), "KNOT_DEV_DB": "/nonexistent/dev-db",
            ]) { $1 }
            try await body(
                { place in
                    let variables = environment.merging(["KNOT_REPLIES": place]) { $1 }
                    return try await LiveCommand.run(LiveCommand.patientWords + ["--json"], variables)
                },
                health,
                database
            )
        }
    }

    @Test func `stand in for services that are down, on another machine too, and the run says so`() async throws {
        try await Self.withServices { run, health, database in
            let well = try await run("database")
            let kept = try await database.run(
                "select distinct provider from public.provider_responses order by provider"
            )
            #expect(kept.map { $0[0] } == ["amazon", "firecrawl", "shopify", "ticketmaster", "yelp"])
            health.isDown.store(true, ordering: .relaxed)
            let old = try await run("database")
            #expect(old.output.contains(Self.note), "\(old.all.prefix(2_000))")
            let (first, second) = (try JSONParser.parse(well.output), try JSONParser.parse(old.output))
            func ids(_ set: JSONValue) -> [String?] {
                (set["choices"]?.array ?? []).map { $0["candidate_id"]?.string ?? $0["id"]?.string }
            }
            #expect(ids(first).count == 3 && ids(first) == ids(second), "\(old.all.prefix(3_000))")
            // Neither a folder nor memory of another machine has them.
            for place in ["folder", "none"] {
                let alone = try await run(place)
                #expect(alone.code == .unavailable && !alone.all.contains(Self.note), "\(alone.all.prefix(2_000))")
            }
        }
    }

    @Test func `are not used once they have expired, and hold no key`() async throws {
        try await Self.withServices { run, health, database in
            _ = try await run("database")
            let rows = try await database.run(
                "select convert_from(body, 'UTF8') || coalesce(etag, '') from public.provider_responses"
            )
            #expect(!rows.isEmpty && !rows.contains { $0[0]?.contains("canary") != false })
            let lives = try await database.run(
                """
                select provider || ' ' || extract(epoch from max(expires_at - fetched_at))::int8::text
                from public.provider_responses group by provider order by provider
                """
            )
            #expect(lives.contains(["yelp 86400"]) && lives.contains(["amazon 3600"]), "\(lives)")
            try await database.run(
                "update public.provider_responses set fetched_at = fetched_at - interval '1 day', "
                    + "expires_at = expires_at - interval '1 day'"
            )
            health.isDown.store(true, ordering: .relaxed)
            let over = try await run("database")
            #expect(over.code == .unavailable && !over.all.contains(Self.note), "\(over.all.prefix(2_000))")
        }
    }

    @Test func `cost no run its answers where the database is not there`() async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        let port = try LoopbackPort.free()
        let environment = simulator.environment.merging([
            "DATABASE_URL": "postgresql://nobody@127.0.0.1:\(port)/none", "KNOT_REPLIES": "database",
        ]) { $1 }
        let outcome = try await LiveCommand.run(LiveCommand.patientWords + ["--json"], environment)
        let set = try JSONParser.parse(outcome.output)
        #expect(set["choices"]?.array?.count == 3)
    }

    @Test func `have a place that is known`() async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        let environment = simulator.environment.merging(["KNOT_REPLIES": "everywhere"]) { $1 }
        let outcome = try await LiveCommand.run(LiveCommand.patientWords, environment)
        #expect(outcome.code == .configuration && outcome.errors.contains("KNOT_REPLIES"), "\(outcome.all)")
    }

    @Test func `go with their vault: forgetting it removes the traffic that was recorded for it`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let simulator = try LiveCommand.simulator(servesPages: true)
            defer { simulator.stop() }
            let (home, scratch) = (try ScratchFolder(), try ScratchFolder())
            let environment = simulator.environment.merging(["DATABASE_URL": database.url]) { $1 }
            let vault = ["--vault", DatabaseCommand.first]
            let tape = scratch.file("v.traffic")
            let run = try await LiveCommand.run(
                ["run", "--live", "--model", "none", "--record-traffic", tape] + vault,
                environment,
                home: home
            )
            #expect(FileManager.default.fileExists(atPath: tape), "\(run.all)")
            let forget = try await LiveCommand.run(["forget", "--yes"] + vault, environment, home: home)
            #expect(forget.code == .done && !FileManager.default.fileExists(atPath: tape), "\(forget.all)")
        }
    }
}

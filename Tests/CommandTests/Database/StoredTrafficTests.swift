import Console
import Foundation
import JSONDocument
import ProviderSimulator
import TestSupport
import Testing

@testable import Composition

/// Live runs of a vault in the database whose traffic is recorded or played.
@Suite("The traffic of a stored vault's run", .onOwnThreads, .serialized, .tags(.database))
struct StoredTrafficTests {
    private static func withVault(
        _ body: (_ run: ([String]) async throws -> LiveCommand.Outcome, TestDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let simulator = try LiveCommand.simulator(servesPages: true)
            defer { simulator.stop() }
            let environment = simulator.environment.merging(["DATABASE_URL": database.url]) { $1 }
            let words = ["run", "--live", "--model", "none", "--deadline", "60s", "--vault", DatabaseCommand.first]
            try await body({ try await LiveCommand.run(words + $0, environment) }, database)
        }
    }

    private static func runs(_ database: TestDatabase) async throws -> Int {
        try await database.run("select 1 from recommendation_runs").count
    }

    @Test func `stores nothing where what is played has no answer to what the run asks`() async throws {
        try await Self.withVault { run, database in
            let folder = try ScratchFolder()
            let tape = folder.file("v.traffic")
            let pipeline = ["--pipeline", try #require(LiveCommand.patientWords.last)]
            let live = try await run(
                pipeline + ["--dry-run", "--json", "--as-of", "2026-05-05T14:00:00Z", "--record-traffic", tape]
            )
            #expect(live.code == .done, "\(live.all)")
            let before = try await Self.runs(database)
            let play = pipeline + ["--play-traffic", tape, "--as-of"]
            let other = try await run(play + ["2026-05-06T14:00:00Z"])
            #expect(other.code == .badInput && other.errors.contains("has no answer to calls"), "\(other.all)")
            #expect(try await Self.runs(database) == before)
            // With what it was recorded with it is a run as any other, and stored.
            let same = try await run(play + ["2026-05-05T14:00:00Z"])
            #expect(same.code == .done, "\(same.all)")
            #expect(try await Self.runs(database) == before + 1)
        }
    }

    @Test func `makes no set where its file has no place, and shows the stored one where it cannot be finished`()
        async throws
    {
        try await Self.withVault { run, database in
            let before = try await Self.runs(database)
            let folder = try ScratchFolder()
            let refused = try await run(["--record-traffic", folder.file("none/v.traffic")])
            #expect(refused.code == .inputOutput, "\(refused.all)")
            #expect(try await Self.runs(database) == before)
            let stored = try await run(["--json", "--record-traffic", "/dev/full"])
            #expect(stored.code == .inputOutput, "\(stored.all)")
            #expect(try JSONParser.parse(stored.output)["stored"] == true)
            #expect(try await Self.runs(database) == before + 1)
        }
    }
}

import KnotDomain
import PostgresClient
import Recommendation
import ReminderStore
import TestSupport
import Testing

/// What operators are told of a database.
@Suite("The health of a database", .tags(.database)) struct DatabaseHealthTests {
    private struct Now: WallClock {
        func now() -> Instant { Instant(millisecondsSinceEpoch: 1_780_000_000_000) }
    }

    @Test func `rules that old rows break are named, and a server that takes no writes`() async throws {
        try await QueueWorld.with { world in
            let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: world.database.url))
            func flaw() async throws -> String? {
                try await DatabaseHealth.look(connection, against: Now(), until: LastResort.end).flaw
            }
            #expect(try await flaw() == nil)
            try await world.sql(
                "alter table public.hints add constraint short check (char_length(hint_text) < 9) not valid"
            )
            #expect(try await flaw()?.contains("short") == true)
            try await connection.runScript("set default_transaction_read_only = on")
            #expect(try await flaw()?.contains("takes no writes") == true)
            await connection.close()
        }
    }
}

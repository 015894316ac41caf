import Composition
import Foundation
import TestSupport
import Testing
import VaultStore

/// Every verb of the database through PgBouncer, which lends each transaction another session.
@Suite(.tags(.database), .needs(.eighteen), .enabled("pgbouncer is not installed") { Pooler.binary != nil })
struct `A pooler in transaction mode` {
    private static let vault = DatabaseCommand.first

    private static let verbs = [
        "migrate", "migrate", "migrate --status", "import fixtures/vaults/dev-01.json fixtures/vaults/dev-02.json",
        "import --replace fixtures/vaults/dev-01.json", "run --model none --vault \(vault) --request a",
        "run --model none --vault \(vault) --request a", "run --model none --all --request b",
        "run --model none --all --request b", "run --model none --all --request c --concurrency 8",
        "history --vault \(vault)", "hint add --vault \(vault) --text 'likes the sea'", "vault show --vault \(vault)",
        "export --vault \(vault)", "export --vault \(vault) --all", "learn --vault \(vault)", "learn --all",
        "doctor", "forget --vault \(vault) \(DatabaseCommand.yes)",
    ]

    @Test(.timeLimit(.minutes(20))) func `takes every verb, many at once, and is left as it was`() async throws {
        try await withDatabase { database in
            let pooler = try await Pooler.start(before: database.server)
            let url = pooler.url(database: database.name)
            for verb in Self.verbs {
                let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: url)
                #expect(outcome.code == 0, "\(verb): \(outcome)")
            }
            #expect(try await database.run("select count(*) from recommendation_runs") == [["2"]])
            _ = try await DatabaseCommand.run("\"$KNOT\" import fixtures/vaults", on: url)
            let script = """
                for n in $(seq 12); do
                    "$KNOT" run --model none --vault \(Self.vault) --request "p$((n % 6))" >/dev/null & pids="$pids $!"
                done
                for pid in $pids; do wait "$pid" || exit 1; done
                """
            let outcome = try await DatabaseCommand.run(script, on: url)
            #expect(outcome.code == 0, "\(outcome)")
            let settings = "select current_setting('enable_seqscan'), current_setting('plan_cache_mode')"
            for _ in 0..<4 { #expect(try await PlainConnection.run(settings, on: url) == [["on", "auto"]]) }
        }
    }
}

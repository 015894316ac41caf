import Composition
import Foundation
import LocalPostgres
import Migrations
import TestSupport
import Testing
import VaultStore

/// A server that crashes before a COMMIT is flushed gives the transaction's number to somebody else, who commits.
@Suite(.tags(.database), .needs(.eighteen)) struct `A transaction number that was given out again` {
    private struct Verb: Sendable {
        let script: String
        /// A query that returns a row where the verb has done what it says.
        let effect: String
        /// What has to be there first.
        var before = ""
        var environment: [String: String] = [:]
    }

    private static let vault = DatabaseCommand.first

    private static let verbs = [
        Verb(
            script: "run --vault \(vault) --request one --model none",
            effect: "select 1 from recommendation_runs where request = 'one'"
        ),
        Verb(
            script: "run --all --request all --model none",
            effect: "select 1 from recommendation_runs where request = 'all' having count(*) = 2"
        ),
        Verb(
            script:
                "refresh --run $(\"$KNOT\" history --vault \(vault) --json --limit 1 | grep -o '\"run_id\": \"[^\"]*' "
                + "| cut -d '\"' -f 4) --reason show_different --model none",
            effect: "select 1 from recommendation_runs where kind = 'refresh'"
        ),
        Verb(
            script: "hint add --vault \(vault) --text 'wants a green kite'",
            effect: "select 1 from hints where hint_text = 'wants a green kite' having count(*) = 1"
        ),
        Verb(
            script: "import fixtures/vaults/dev-03.json",
            effect: "select 1 from vault_imports having count(*) = 3"
        ),
        Verb(
            script: "import --replace fixtures/vaults/dev-03.json",
            effect: "select 1 from vault_imports where imported_at > (select at from before)",
            before: "create table before as select max(imported_at) as at from vault_imports"
        ),
        Verb(
            script: "vault new --file <(\"$KNOT\" export --vault \(vault) | sed 's/\"\(vault)\"/null/; "
                + "s/\"user_id\": \"[^\"]*\"/\"user_id\": null/; "
                + "s/\"id\": \"[^\"]*\"/\"id\": null/')",
            effect: "select 1 from partner_vaults having count(*) = 4"
        ),
        Verb(
            script: "learn --vault \(vault)",
            effect: "select 1 from learned_weights where vault_id = '\(vault)'",
            before: """
                delete from learned_weights;
                insert into recommendation_feedback (recommendation_id, user_id, action)
                select r.id, v.user_id, 'purchased' from recommendations r join partner_vaults v on v.id = r.vault_id
                """
        ),
        Verb(
            script: "embed --vault \(vault)",
            effect:
                "select 1 where not exists (select 1 from hints where vault_id = '\(vault)' and hint_embedding is null)",
            environment: ["KNOT_MODEL": ProcessInfo.processInfo.environment["KNOT_MODEL"] ?? ""]
        ),
        Verb(
            script: "forget --vault \(vault) \(DatabaseCommand.yes)",
            effect: "select 1 where not exists (select 1 from partner_vaults where id = '\(vault)')"
        ),
    ]

    @Test(.timeLimit(.minutes(20))) func `never makes a verb say that something is done which is not`() async throws {
        try await TestServer.withOwn(settings: ReusedNumber.settings) { server in
            try await withDatabase(on: server, .commandStocked) { database in
                let proxy = try WireProxy(to: server.running.socketFolder + "/.s.PGSQL.5432")
                for verb in Self.verbs {
                    if !verb.before.isEmpty { try await database.run(verb.before) }
                    let number = try await ReusedNumber(server, database: database.name)
                    proxy.insteadOfCommit { await number.bringAbout() }
                    let cache = ProcessInfo.processInfo.environment["KNOT_CACHE"].map { ["KNOT_CACHE": $0] } ?? [:]
                    let outcome = try await DatabaseCommand.run(
                        "\"$KNOT\" \(verb.script)",
                        on: proxy.url(database: database.name),
                        environment: cache.merging(verb.environment) { $1 }
                    )
                    #expect(number.fates == ["committed"], "\(verb.script): the number was not given out again")
                    #expect(outcome.code == 0, "\(verb.script): \(outcome)")
                    #expect(try await database.run(verb.effect).count == 1, "\(verb.script) says done, and it is not")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(20))) func `does not stop a migration, nor make it say more than is there`() async throws
    {
        try await TestServer.withOwn(settings: ReusedNumber.settings) { server in
            try await withDatabase(on: server, .empty) { database in
                let proxy = try WireProxy(to: server.running.socketFolder + "/.s.PGSQL.5432")
                let number = try await ReusedNumber(server, database: database.name)
                proxy.insteadOfCommit { await number.bringAbout() }
                let outcome = try await DatabaseCommand.run(
                    "\"$KNOT\" migrate",
                    on: proxy.url(database: database.name)
                )
                #expect(number.fates == ["committed"])
                #expect(outcome.code == 0, "\(outcome)")
                let latest = Migrations.all.count
                let there = try await database.run("select 1 from knot.knot_migrations where number > 0")
                #expect(there.count == latest)
                #expect(outcome.output.contains("the schema is at migration \(latest)"))
            }
        }
    }
}

import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// What a run's row holds is shown only where it is that run's own, of that row's vault.
@Suite(.tags(.database)) struct `A stored result` {
    private let first = DatabaseCommand.first
    private static let lie = "Send the money here"

    /// A result with one thing in it changed.
    private static let changes: [(name: String, change: String)] = [
        ("nothing", "'{}'"), ("a list", "'[1]'"), ("null", "'null'"),
        ("another schema", "replace(result::text, 'knot.choice/1', 'knot.choice/9')"),
        ("another run", "replace(result::text, id::text, gen_random_uuid()::text)"),
        ("another vault", "replace(result::text, vault_id::text, gen_random_uuid()::text)"),
        ("another outcome", "regexp_replace(result::text, '\"outcome\": \"[a-z]*\"', '\"outcome\": \"perfect\"')"),
        ("no choices", "replace(result::text, '\"choices\"', '\"chosen\"')"),
        ("a choice without a title", "replace(result::text, '\"title\"', '\"name\"')"),
        ("a depth that no reader goes to", "repeat('[', 5000) || repeat(']', 5000)"),
    ]

    @Test(.timeLimit(.minutes(20))) func `that cannot be read is an error of its row`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let ask = "\"$KNOT\" run --vault \(first) --request r1 --json"
            let made = try await DatabaseCommand.json(ask, on: database.url)
            let run = try #require(made["run_id"]?.string)
            try await database.run("create table kept as select id, result from recommendation_runs")
            for (name, change) in Self.changes {
                try await database.run("update recommendation_runs set result = (\(change))::json")
                for verb in [
                    "run --vault \(first) --request r1", "refresh --run \(run) --reason show_different",
                    "explain --run \(run)",
                ] {
                    let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: database.url)
                    #expect(outcome.code == 65, "\(name), \(verb): \(outcome)")
                    #expect(outcome.errors.contains(run) && outcome.output.isEmpty, "\(name), \(verb): \(outcome)")
                }
                try await database.run(
                    "update recommendation_runs r set result = k.result from kept k where k.id = r.id"
                )
            }
            #expect(try await DatabaseCommand.run(ask, on: database.url).code == 0)
        }
    }

    /// As a row may stand there from before identities were checked.
    @Test func `of another vault answers no request, whatever identity it bears`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let ask = "\"$KNOT\" run --vault \(first) --request r1"
            let made = try await DatabaseCommand.json("\(ask) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            let owner = try #require(
                try await database.run("select user_id from partner_vaults where id = '\(first)'").first?[0]
            )
            try await database.run(
                """
                set session_replication_role = replica;
                update recommendation_runs set vault_id = (select id from partner_vaults where id <> '\(first)'),
                    result = replace(result::text, '"title": "', '"title": "\(Self.lie)')::json;
                update recommendations r set vault_id = n.vault_id, title = '\(Self.lie)'
                from recommendation_runs n where n.id = r.run_id
                """
            )
            let asked: [(verb: String, code: Int32?)] = [
                ("\(ask)", 65), ("\(ask) --json", 65), ("\(ask) --as-user \(owner)", 65),
                ("\"$KNOT\" refresh --run \(run) --reason show_different", 65),
                ("\"$KNOT\" refresh --run \(run) --reason show_different --as-user \(owner)", 66),
                ("\"$KNOT\" explain --run \(run)", 65), ("\"$KNOT\" explain --run \(run) --as-user \(owner)", 66),
                ("\"$KNOT\" history --vault \(first)", 0), ("\"$KNOT\" run --all --request r1", nil),
            ]
            for (verb, code) in asked {
                let outcome = try await DatabaseCommand.run(verb, on: database.url)
                #expect(code.map { $0 == outcome.code } ?? true, "\(verb): \(outcome)")
                #expect(!(outcome.output + outcome.errors).contains(Self.lie), "\(verb): \(outcome)")
            }
        }
    }
}

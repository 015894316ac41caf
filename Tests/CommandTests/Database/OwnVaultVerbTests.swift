import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// Lists and changes of vaults and hints, on a real server.
@Suite(.tags(.database)) struct OwnVaultVerbTests {
    private let first = DatabaseCommand.first

    private func withVaults(
        _ server: ServerVersion = .eighteen,
        _ body: (_ knot: (String) async throws -> BuiltCommand.Outcome, TestDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(server, .commandStocked) { database in
            try await body({ try await DatabaseCommand.run($0, on: database.url) }, database)
        }
    }

    private func json(_ outcome: BuiltCommand.Outcome) throws -> JSONValue {
        try JSONParser.parse(Array(outcome.output.utf8))
    }

    @Test func `vaults are listed a page at a time, to a person only their own`() async throws {
        try await withVaults { knot, database async throws in
            let page = try json(try await knot("\"$KNOT\" vault list --limit 1 --json"))
            #expect(page["vaults"]?.array?.count == 1)
            let next = try #require(page["next"]?.string)
            let rest = try json(try await knot("\"$KNOT\" vault list --limit 1 --after \(next) --json"))
            #expect(rest["vaults"]?.array?.count == 1 && rest["next"]?.isNull == true)
            #expect(rest["vaults"]?.array?.first?["vault_id"] != page["vaults"]?.array?.first?["vault_id"])
            let user = try await database.run("select user_id from partner_vaults where id = '\(first)'")[0][0] ?? ""
            let own = try json(try await knot("\"$KNOT\" vault list --as-user \(user) --json"))
            #expect(own["vaults"]?.array?.compactMap { $0["vault_id"]?.string } == [first])
            let lines = try await knot("\"$KNOT\" vault list")
            #expect(lines.code == 0 && lines.output.contains(first))
        }
    }

    @Test func `an edit changes what it names and leaves the rest, and the same again changes nothing`() async throws {
        try await withVaults { knot, database async throws in
            let before = try json(try await knot("\"$KNOT\" vault show --vault \(first) --json"))
            let milestones = try await database.run("select id, milestone_date from partner_milestones order by id")
            let change =
                "{\"timezone\": \"Europe/Lisbon\", \"partner_name\": \"Ana\", \"relationship_tenure_months\": 7}"
            let edit = "echo '\(change)' | \"$KNOT\" vault edit --vault \(first) --file - --json"
            let done = try json(try await knot(edit))
            #expect(done["changed"]?.array?.count == 3)
            let after = try json(try await knot("\"$KNOT\" vault show --vault \(first) --json"))
            #expect(after["timezone"] == "Europe/Lisbon" && after["partner_name"] == "Ana")
            for name in ["likes", "dislikes", "vibes", "budgets", "love_languages", "milestones", "hints", "history"] {
                #expect(after[name] == before[name], "\(name)")
            }
            #expect(
                try await database.run("select id, milestone_date from partner_milestones order by id") == milestones
            )
            #expect(try json(try await knot(edit))["changed"]?.array?.isEmpty == true)
        }
    }

    @Test func `a milestone that is moved keeps its id and what hangs on it`() async throws {
        try await withVaults { knot, database async throws in
            let show = "\"$KNOT\" vault show --vault \(first) --json"
            let id = try #require(
                try await database.run(
                    "select id from partner_milestones where vault_id = '\(first)' order by created_at"
                )
                .first?[0]
            )
            let run = "\"$KNOT\" run --vault \(first) --milestone \(id)"
            #expect(try await knot(run).code == 0)
            var vault = try #require(try json(try await knot(show)).object)
            var milestones = try #require(vault["milestones"]?.array)
            var moved = try #require(milestones[0].object)
            moved["name"] = "Another name"
            milestones[0] = .object(moved)
            vault["milestones"] = .array(milestones)
            let scratch = try ScratchFolder()
            let file = try scratch.write(JSONWriter.text(.object(vault)), to: "v.json")
            let done = try await knot("\"$KNOT\" vault edit --vault \(first) --file \(file)")
            #expect(done.output == "changed milestones\n", "\(done)")
            #expect(try json(try await knot(show))["milestones"]?.array == milestones)
            #expect(try await database.run("select distinct milestone_id from recommendation_runs") == [[id]])
        }
    }

    @Test func `a bad edit is refused whole, with its places`() async throws {
        try await withVaults { knot, database async throws in
            let before = try await knot("\"$KNOT\" vault show --vault \(first) --json").output
            for (change, place) in [
                ("{\"partner_name\": \"Ana\", \"likes\": [\"Art\"]}", "$.likes"),
                ("{\"partner_name\": \"Ana\", \"hintz\": []}", "$.hintz"),
                ("{\"partner_name\": \"Ana\", \"hints\": []}", "$.hints"), ("{\"vibes\": [\"x\"]}", "$.vibes"),
                ("{\"user_id\": \"00000000-0000-4000-8000-000000000001\"}", "$.user_id"),
            ] {
                let outcome = try await knot("echo '\(change)' | \"$KNOT\" vault edit --vault \(first) --file -")
                #expect(outcome.code == 65 && outcome.errors.contains(place), "\(outcome)")
            }
            #expect(try await knot("\"$KNOT\" vault show --vault \(first) --json").output == before)
            let nobody = "00000000-0000-4000-8000-000000000001"
            #expect(try await knot("echo '{}' | \"$KNOT\" vault edit --vault \(nobody) --file -").code == 66)
            #expect(try await knot("\"$KNOT\" vault edit --vault \(first)").code == 64)
        }
    }

    @Test func `hints are listed, changed and removed, by their own person only`() async throws {
        try await withVaults { knot, database async throws in
            let users = try await database.run("select user_id from partner_vaults order by id = '\(first)' desc")
            let (own, other) = (try #require(users[0][0]), try #require(users[1][0]))
            let list = "\"$KNOT\" hint list --vault \(first) --json"
            let hints = try #require(try json(try await knot(list))["hints"]?.array)
            let count = try await database.run("select count(*) from hints where vault_id = '\(first)'")[0][0] ?? ""
            #expect("\(hints.count)" == count)
            let id = try #require(hints[0]["id"]?.string)
            let edit = "\"$KNOT\" hint edit --vault \(first) --hint \(id) --text 'wants a kite'"
            let remove = "\"$KNOT\" hint remove --vault \(first) --hint \(id)"
            for verb in [edit, remove, list] { #expect(try await knot("\(verb) --as-user \(other)").code == 66) }
            try await database.run(
                "update hints set hint_embedding = array_fill(1, array[768])::vector, hint_embedding_model = 'm'"
            )
            for _ in 1...2 { #expect(try await knot("\(edit) --as-user \(own)").code == 0) }
            let row = try await database.run("select hint_text, hint_embedding is null from hints where id = '\(id)'")
            #expect(row == [["wants a kite", "t"]])
            #expect(try await knot("\"$KNOT\" hint edit --vault \(first) --hint \(id) --text ' '").code == 65)
            #expect(try await knot("\"$KNOT\" hint edit --vault \(first) --hint \(id)").code == 64)
            #expect(try await knot("\(remove) --as-user \(own)").code == 0)
            #expect(try await knot(remove).code == 66)
            #expect(try await database.run("select 1 from hints where id = '\(id)'").isEmpty)
            #expect(try await knot("\"$KNOT\" hint list --vault \(first)").output.contains("wants a kite") == false)
        }
    }

    @Test func `the day of a note is that of the vault's zone, in a list as on a card`() async throws {
        try await withVaults { knot, database async throws in
            try await database.run("update users set timezone = 'Pacific/Auckland'")
            try await database.run("update hints set created_at = '2026-02-28 23:30:00+00'")
            for verb in ["hint list", "vault show"] {
                let shown = try await knot("\"$KNOT\" \(verb) --vault \(first)")
                #expect(shown.output.contains("2026-03-01") && !shown.output.contains("2026-02-28"), "\(verb)")
            }
        }
    }
}

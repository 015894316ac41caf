import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing
import VaultStore

@testable import Verbs
@testable import knot_recommend

/// The law of `--as-user`: whatever a verb is told to read or write, it has that person's rights and no others.
@Suite(.tags(.database)) struct `A verb on somebody's behalf` {
    /// What a verb is asked with: `$VAULT`, `$RUN` and `$FILE` are put in.
    private static let asked: [VerbName: [String]] = [
        .run: ["run --vault $VAULT", "run --vault $VAULT --dry-run", "run --vault $VAULT --request asked"],
        .refresh: ["refresh --run $RUN --reason show_different"],
        .explain: ["explain --run $RUN", "explain --run $RUN -v"],
        .vault: ["vault show --vault $VAULT"],
        .hint: ["hint add --vault $VAULT --text 'from somebody'"],
        .history: ["history --vault $VAULT", "history --vault $VAULT --after $RUN", "history --run $RUN"],
        .calendar: ["calendar --vault $VAULT"],
        .feedback: ["feedback liked --run $RUN --position 1"],
        .export: ["export --vault $VAULT", "export --vault $VAULT --all"],
    ]

    /// Who owns the database without being a superuser, and may act for persons, as on a hosted server.
    private static func makeOwner(of database: TestDatabase) async throws -> String {
        let owner = "owner_\(database.name)"
        try await database.run(
            """
            create role \(owner) login;
            grant authenticated to \(owner);
            grant usage on schema auth to \(owner);
            grant select, insert on auth.users to \(owner);
            alter database \(database.name) owner to \(owner);
            alter schema public owner to \(owner);
            alter schema knot owner to \(owner);
            do $$
            declare
                name text;
            begin
                for name in
                    select c.oid::regclass from pg_class c
                    where c.relnamespace in ('public'::regnamespace, 'knot'::regnamespace) and c.relkind = 'r'
                loop
                    execute format('alter table %s owner to %I', name, '\(owner)');
                end loop;
            end
            $$
            """
        )
        return owner
    }

    private static func dropOwner(of database: TestDatabase) async throws {
        let owner = "owner_\(database.name)"
        try await database.run("reassign owned by \(owner) to knot; drop owned by \(owner); drop role \(owner)")
    }

    /// All that the database holds, for whoever asks it as its superuser.
    private static func snapshot(_ database: TestDatabase) async throws -> [String?] {
        let names = try await database.run(
            "select oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
        )
        var found: [String?] = []
        for name in names.compactMap({ $0[0] }).sorted() {
            found += try await database.run("select '\(name) ' || t::text from \(name) t order by 1").map { $0[0] }
        }
        return found
    }

    private static func options(_ verb: VerbName) -> Bool {
        Flag.all.contains { flag in flag.name == .asUser && CommandTable.knot.takes(flag, verb) }
    }

    @Test func `every verb that takes a person is held to the law`() {
        #expect(Set(VerbName.allCases.filter(Self.options)) == Set(Self.asked.keys))
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["knot", "owner", "knot_person"])
    func `sees and changes nothing of another's, over all verbs and pairs`(role: String) async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let people = try await database.run(
                "select v.id, v.user_id, v.partner_name, h.hint_text from partner_vaults v join lateral "
                    + "(select hint_text from hints where vault_id = v.id order by length(hint_text) desc limit 1) h on true"
            )
            try #require(people.count == 2)
            let user = role == "owner" ? try await Self.makeOwner(of: database) : role
            let url = database.url(user: user)
            let environment = role == "knot_person" ? DatabaseCommand.withModel : [:]
            var runs: [String: String] = [:]
            for person in people {
                let vault = try #require(person[0])
                let ask = "\"$KNOT\" run --vault \(vault) --as-user \(person[1] ?? "") --request first --json"
                let made = try await DatabaseCommand.run(ask, on: url, environment: environment)
                #expect(made.code == 0, "\(made)")
                runs[vault] = try JSONParser.parse(Array(made.output.utf8))["run_id"]?.string
            }
            for (mine, other) in [(people[0], people[1]), (people[1], people[0])] {
                let before = try await Self.snapshot(database)
                let (vault, run) = (mine[0] ?? "", runs[mine[0] ?? ""] ?? "")
                for ask in Self.asked.values.joined().sorted() {
                    let words = ask.replacing("$VAULT", with: vault).replacing("$RUN", with: run)
                    for format in ["", " --json"] {
                        let script = "\"$KNOT\" \(words) --as-user \(other[1] ?? "")\(format)"
                        let outcome = try await DatabaseCommand.run(script, on: url, environment: environment)
                        #expect(outcome.code == 66, "\(role): \(script): \(outcome)")
                        for secret in [mine[2], mine[3], mine[1]] {
                            let text = secret ?? "?"
                            #expect(!(outcome.output + outcome.errors).contains(text), "\(role): \(script): \(outcome)")
                        }
                    }
                }
                #expect(try await Self.snapshot(database) == before, "\(role)")
                // Everything that is one's own is had by the same words.
                for ask in Self.asked.values.joined().sorted() where !ask.contains("--after") {
                    let words = ask.replacing("$VAULT", with: vault).replacing("$RUN", with: run)
                    let script = "\"$KNOT\" \(words) --as-user \(mine[1] ?? "")"
                    let outcome = try await DatabaseCommand.run(script, on: url, environment: environment)
                    #expect(outcome.code == 0, "\(role): \(script): \(outcome)")
                }
            }
            if role == "owner" { try await Self.dropOwner(of: database) }
        }
    }

    @Test func `a role that may not act for persons is told what it lacks, and acts once it has it`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let user = try #require(try await database.run("select user_id from partner_vaults limit 1")[0][0])
            let clerk = "clerk_\(database.name)"
            try await database.run("create role \(clerk) login")
            let ask = "\"$KNOT\" vault list --as-user \(user)"
            for role in ["knot_worker", clerk] {
                let outcome = try await DatabaseCommand.run(ask, on: database.url(user: role))
                #expect(outcome.code == 77 && outcome.errors.contains("grant knot_person"), "\(role): \(outcome)")
            }
            try await database.run("grant knot_person to \(clerk)")
            let outcome = try await DatabaseCommand.run(ask, on: database.url(user: clerk))
            try await database.run("drop role \(clerk)")
            #expect(outcome.code == 0, "\(outcome)")
        }
    }

    /// Column by column, its rights are enough for what it has to do.
    @Test func `under the worker's own role does what scheduled work needs`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let url = database.url(user: "knot_worker")
            let vault = DatabaseCommand.first
            let made = try await DatabaseCommand.json(
                "\"$KNOT\" run --vault \(vault) --request r1 --json",
                on: url,
                environment: DatabaseCommand.withModel
            )
            let run = try #require(made["run_id"]?.string)
            for verb in [
                "run --vault \(vault) --request r1", "run --all", "refresh --run \(run) --reason show_different",
                "explain --run \(run)", "history --vault \(vault)", "history --run \(run)", "learn --all",
                "learn --vault \(vault)",
            ] {
                let outcome = try await DatabaseCommand.run(
                    "\"$KNOT\" \(verb)",
                    on: url,
                    environment: DatabaseCommand.withModel
                )
                #expect(outcome.code == 0, "\(verb): \(outcome)")
            }
        }
    }

    @Test(arguments: ["knot", "knot_person"])
    func `chooses for all vaults that are theirs and no other`(role: String) async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let users = try await database.run("select user_id from partner_vaults order by id")
            let ask = "\"$KNOT\" run --all --json --as-user \(users[0][0] ?? "")"
            let batch = try await DatabaseCommand.json(ask, on: database.url(user: role))
            #expect(batch["vaults"] == 1 && batch["stored"] == 1, "\(batch)")
            let stored = try await database.run(
                "select v.user_id from recommendation_runs r join partner_vaults v on v.id = r.vault_id"
            )
            #expect(stored == [[users[0][0]]])
        }
    }
}

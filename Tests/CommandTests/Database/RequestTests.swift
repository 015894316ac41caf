import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// A caller's own request has one set, whatever has happened since and whatever it asks for the second time.
@Suite(.tags(.database)) struct RequestTests {
    private let first = DatabaseCommand.first

    @Test func `the same request returns the first set, whatever has happened since`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let milestone =
                try await database.run(
                    "select id from partner_milestones where vault_id = '\(first)' order by created_at limit 1"
                )[0][0] ?? ""
            let ask = "\"$KNOT\" run --vault \(first) --request r --json"
            let made = try await DatabaseCommand.run("\(ask) --milestone \(milestone)", on: database.url)
            #expect(made.code == 0, "\(made)")
            try await database.run("update partner_milestones set budget_tier = 'just_because'")
            let asked = [
                ask, "\(ask) --milestone \(milestone)", "\(ask) --as-of 2031-01-01T00:00:00Z",
                "\(ask) --milestone \(milestone) --as-of 2031-01-01T00:00:00Z",
            ]
            for again in asked {
                #expect(try await DatabaseCommand.run(again, on: database.url).output == made.output, "\(again)")
            }
            try await database.run("delete from partner_milestones where id = '\(milestone)'")
            try await database.run("delete from partner_budgets")
            for again in asked {
                #expect(try await DatabaseCommand.run(again, on: database.url).output == made.output, "\(again)")
            }
            #expect(try await database.run("select count(*) from recommendation_runs") == [["1"]])
        }
    }

    @Test func `a recorded run of a stored vault is replayed byte for byte, and one that was not run is not recorded`()
        async throws
    {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let scratch = try ScratchFolder()
            func knot(_ words: String) async throws -> BuiltCommand.Outcome {
                try await DatabaseCommand.run(
                    "\"$KNOT\" \(words) --json",
                    on: database.url,
                    environment: DatabaseCommand.withModel
                )
            }
            let file = scratch.file("r.cassette")
            let run = try await knot("run --vault \(first) --request r --record '\(file)'")
            #expect(run.code == 0 && !run.errors.contains("not written"), "\(run)")
            #expect(try await knot("replay '\(file)'").output == run.output)
            let other = try await knot("replay '\(file)' --seed 9")
            let runID = try JSONParser.parse(Array(run.output.utf8))["run_id"]?.string ?? ""
            #expect(other.code == 0 && !other.output.contains(runID), "another seed is another run")
            let dry = try await knot("run --vault \(first) --dry-run --record '\(file)'")
            #expect(try await knot("replay '\(file)'").output == dry.output)
            let refresh = "refresh --run \(runID) --reason show_different --reject 2 --record '\(file)'"
            let refreshed = try await knot(refresh)
            #expect(refreshed.code == 0)
            #expect(try await knot("replay '\(file)'").output == refreshed.output)
            let again = scratch.file("again.cassette")
            let answered = try await knot("run --vault \(first) --request r --record '\(again)'")
            #expect(answered.output == run.output && answered.errors.contains("\(again) was not written"))
            #expect(!FileManager.default.fileExists(atPath: again))
        }
    }

    @Test func `the same request with another occasion or milestone is refused`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let milestones = try await database.run(
                "select id from partner_milestones where vault_id = '\(first)' order by created_at"
            ).compactMap { $0[0] }
            let ask = "\"$KNOT\" run --vault \(first) --request r"
            #expect(try await DatabaseCommand.run("\(ask) --occasion just_because", on: database.url).code == 0)
            for other in ["--occasion minor_occasion", "--milestone \(milestones[0])"] {
                let refused = try await DatabaseCommand.run("\(ask) \(other)", on: database.url)
                #expect(refused.code == 64 && refused.errors.contains("known with other contents"), "\(refused)")
                let all = try await DatabaseCommand.json(
                    "\"$KNOT\" run --all --request r \(other.hasPrefix("--o") ? other : "--occasion major_milestone") --json",
                    on: database.url
                )
                #expect(all["failures"]?.array?.contains { $0["vault_id"]?.string == first } == true)
            }
            let runs = try await database.run("select count(*) from recommendation_runs where vault_id = '\(first)'")
            #expect(runs == [["1"]])
        }
    }

    @Test func `of two callers with one request and other occasions one gets a set`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            for round in 1...1 {
                let ask = "\"$KNOT\" run --vault \(first) --request race\(round) --occasion"
                let script =
                    "\(ask) just_because > /dev/null & one=$!; \(ask) minor_occasion > /dev/null & other=$!; "
                    + "wait $one; echo $?; wait $other; echo $?"
                let outcome = try await DatabaseCommand.run(script, on: database.url)
                #expect(["0\n64\n", "64\n0\n"].contains(outcome.output), "\(outcome)")
            }
            #expect(try await database.run("select count(*) from recommendation_runs") == [["1"]])
        }
    }

    @Test func `a set has one re-roll, and who asks with other reasons is told of it`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            let ask = "\"$KNOT\" refresh --run \(run) --json --reason"
            let again = try await DatabaseCommand.run("\(ask) too_cheap --reject 2", on: database.url)
            #expect(again.code == 0, "\(again)")
            let next = try #require(try JSONParser.parse(Array(again.output.utf8))["run_id"]?.string)
            let same = try await DatabaseCommand.run("\(ask) too_cheap --reject 2", on: database.url)
            #expect(same.code == 0 && same.output == again.output)
            for other in [
                "not_their_style --reject 2", "too_cheap", "too_cheap --reject 1", "too_cheap --reject 2 --reject 3",
            ] {
                let refused = try await DatabaseCommand.run("\(ask) \(other)", on: database.url)
                #expect(refused.code == 64, "\(other): \(refused)")
                #expect(refused.errors.contains("--reason too_cheap --reject 2") && refused.errors.contains(next))
            }
            let further = try await DatabaseCommand.run(
                "\"$KNOT\" refresh --run \(next) --reason not_their_style",
                on: database.url
            )
            #expect(further.code == 0 || further.code == 11, "\(further)")
            let others = try await database.run("select count(*) from recommendation_runs where supersedes = '\(run)'")
            #expect(others == [["1"]])
        }
    }

    @Test func `of two re-rolls at once for other reasons one is refused`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let ask = "\"$KNOT\" refresh --run \(made["run_id"]?.string ?? "") --reason"
            let script =
                "\(ask) too_cheap > /dev/null & one=$!; \(ask) not_their_style > /dev/null & other=$!; "
                + "wait $one; echo $?; wait $other; echo $?"
            let outcome = try await DatabaseCommand.run(script, on: database.url)
            #expect(["0\n64\n", "64\n0\n"].contains(outcome.output), "\(outcome)")
        }
    }

    @Test func `all vaults of a person are chosen for under that person's own role`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let user = try await database.run("select user_id from partner_vaults where id = '\(first)'")[0][0] ?? ""
            let outcome = try await DatabaseCommand.json(
                "\"$KNOT\" run --all --as-user \(user) --json",
                on: database.url(user: "knot_person")
            )
            #expect(outcome["vaults"] == 1 && outcome["stored"] == 1, "\(outcome)")
        }
    }
}

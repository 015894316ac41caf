import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// `feedback`: what a person says of a stored choice, once, by the vault's own person, and read by `learn`.
@Suite(.tags(.database)) struct FeedbackVerbTests {
    private let first = DatabaseCommand.first

    /// A database with one stored set, and its run.
    private func withRun(
        _ server: ServerVersion = .eighteen,
        _ body: (_ knot: (String) async throws -> BuiltCommand.Outcome, String, TestDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(server, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            try await body({ try await DatabaseCommand.run("\"$KNOT\" \($0)", on: database.url) }, run, database)
        }
    }

    private func rows(_ database: TestDatabase) async throws -> [[String?]] {
        try await database.run(
            """
            select r.position, f.action, f.rating, f.feedback_text, f.user_id = v.user_id
            from recommendation_feedback f join recommendations r on r.id = f.recommendation_id
            join partner_vaults v on v.id = r.vault_id where r.run_id is not null order by r.position, f.created_at
            """
        )
    }

    @Test(arguments: ServerVersion.serving)
    func `each word is kept as the product keeps it, by the vault's person, once`(server: ServerVersion) async throws {
        try await withRun(server) { knot, run, database async throws in
            for (word, kept) in [
                ("liked", ["1", "rated", "5", nil, "t"]), ("disliked", ["1", "rated", "1", nil, "t"]),
                ("given", ["1", "purchased", nil, nil, "t"]), ("returned", ["1", "rated", "1", "returned", "t"]),
                ("already-has", ["1", "refreshed", nil, "already_have_similar", "t"]),
            ] as [(String, [String?])] {
                try await database.run("delete from recommendation_feedback")
                let say = "feedback \(word) --run \(run) --position 1"
                for _ in 1...2 { #expect(try await knot(say).code == 0) }
                #expect(try await rows(database) == [kept])
                let json = try JSONParser.parse(Array(try await knot("\(say) --json").output.utf8))
                #expect(json["schema"] == "knot.feedback/1" && json["new"] == false)
            }
        }
    }

    @Test func `of words that change the latest counts, and saying it again changes nothing`() async throws {
        try await withRun { knot, run, database async throws in
            let words = ["liked", "disliked", "disliked", "liked", "liked", "disliked"]
            for word in words { #expect(try await knot("feedback \(word) --run \(run) --position 1").code == 0) }
            #expect(try await rows(database).map { $0[2] } == ["5", "1", "5", "1"])
        }
    }

    @Test func `a request counts once, and another word under it is refused`() async throws {
        try await withRun { knot, run, database async throws in
            let say = "--run \(run) --position 2 --request r1"
            #expect(try await knot("feedback liked \(say)").code == 0)
            #expect(try await knot("feedback liked \(say)").code == 0)
            let refused = try await knot("feedback disliked \(say)")
            #expect(refused.code == 64 && refused.errors.contains("known with other contents"), "\(refused)")
            #expect(try await knot("feedback liked --run \(run) --position 2 --request r2").code == 0)
            #expect(try await rows(database).count == 2)
        }
    }

    @Test func `what is not there is 66, and what is not said right 64`() async throws {
        try await withRun { knot, run, database async throws in
            let nobody = "00000000-0000-8000-8000-000000000001"
            #expect(try await knot("feedback liked --run \(nobody) --position 1").code == 66)
            #expect(try await knot("feedback liked --run nonsense --position 1").code == 66)
            for bad in [
                "feedback liked --run \(run)", "feedback liked --position 1",
                "feedback liked --run \(run) --position 4",
                "feedback loved --run \(run) --position 1", "feedback --run \(run) --position 1",
            ] {
                #expect(try await knot(bad).code == 64, "\(bad)")
            }
            #expect(try await rows(database).isEmpty)
        }
    }

    @Test func `a person gives feedback on their own sets and on nobody else's`() async throws {
        try await withRun { knot, run, database async throws in
            let users = try await database.run("select user_id from partner_vaults order by id = '\(first)' desc")
            let (own, other) = (try #require(users[0][0]), try #require(users[1][0]))
            let say = "feedback liked --run \(run) --position 3 --as-user"
            #expect(try await knot("\(say) \(other)").code == 66)
            #expect(try await rows(database).isEmpty)
            #expect(try await knot("\(say) \(own)").code == 0)
            #expect(try await rows(database).count == 1)
        }
    }

    @Test func `learn reads it, and the next run leaves out what was turned down`() async throws {
        try await withRun { knot, run, database async throws in
            for (position, word) in [(1, "disliked"), (2, "given"), (3, "already-has")] {
                #expect(try await knot("feedback \(word) --run \(run) --position \(position)").code == 0)
            }
            let learned = try await knot("learn --vault \(first) --json")
            let json = try JSONParser.parse(Array(learned.output.utf8))
            #expect(json["change"] == "learned" && (json["signals"]?.int ?? 0) >= 3)
            let turnedDown = try await database.run(
                "select merchant_name from recommendations where run_id = '\(run)' and position in (1, 3)"
            ).compactMap { $0[0] }
            let next = try JSONParser.parse(Array(try await knot("run --vault \(first) --json").output.utf8))
            let merchants = next["choices"]?.array?.compactMap { $0["merchant"]?.string } ?? []
            #expect(merchants.count >= 1 && Set(merchants).isDisjoint(with: turnedDown))
        }
    }
}

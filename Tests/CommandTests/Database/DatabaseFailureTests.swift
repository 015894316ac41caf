import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing
import VaultStore

/// Everything that can be wrong with a database: one clear line, the right code, nothing half-done.
@Suite(.tags(.database), .needs(.eighteen)) struct `A database that will not do` {
    private func expectError(
        _ outcome: BuiltCommand.Outcome,
        _ code: Int32,
        _ start: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.code == code, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix("error: \(start)"), "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `no database at all is said with the ways to one`() async throws {
        let outcome = try await DatabaseCommand.run("\"$KNOT\" run --all", on: "")
        expectError(outcome, 69, "there is no database, DATABASE_URL, ")
        #expect(outcome.errors.contains("dev-db start"))
    }

    @Test func `a wrong password is not permitted and is not shown`() async throws {
        let rules = ["local all knot trust", "local all all scram-sha-256"]
        try await TestServer.withOwn(authentication: rules) { server in
            _ = try await PlainConnection.run("create role anna login password 'right-one'", on: server.url())
            let url = server.url(user: "anna").replacing("anna@", with: "anna:wrong-one@")
            for verb in ["migrate", "run --all", "import fixtures/vaults"] {
                let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: url)
                expectError(outcome, 77, "the database server refuses this user or password, database knot on ")
                #expect(!outcome.errors.contains("wrong-one"))
            }
            let json = try await DatabaseCommand.json("\"$KNOT\" migrate --json 2>/dev/null", on: url)
            #expect(json["schema"] == "knot.error/1" && json["code"] == "not_permitted")
        }
    }

    @Test func `an unknown database is unavailable`() async throws {
        let server = try await TestServer.shared()
        let outcome = try await DatabaseCommand.run("\"$KNOT\" migrate", on: server.url(database: "nobody_made_this"))
        expectError(outcome, 69, "there is no such database, database nobody_made_this on ")
    }

    @Test func `a server that is not there is unavailable`() async throws {
        let url = "postgresql://knot@/knot?host=/nonexistent"
        expectError(try await DatabaseCommand.run("\"$KNOT\" migrate", on: url), 69, "no database server answers, ")
    }

    @Test func `a server elsewhere must prove its name unless somebody waives that`() async throws {
        let url = "postgresql://knot@192.0.2.1/knot?connect_timeout=2"
        let refused = try await DatabaseCommand.run("\"$KNOT\" migrate", on: url)
        let what = "192.0.2.1 is not on this machine, and a server elsewhere must prove its name"
        expectError(refused, 78, "the database settings cannot be used: \(what), sslmode=prefer, ")
        let waived = try await DatabaseCommand.run(
            "\"$KNOT\" migrate --allow-weak-tls",
            on: "postgresql://knot@localhost:1/knot"
        )
        #expect(waived.code == 69)
    }

    @Test(.needs(.fifteen)) func `a server without pgvector says how to get it and stays empty`() async throws {
        try await withDatabase(.fifteen) { database in
            let outcome = try await DatabaseCommand.run("\"$KNOT\" migrate", on: database.url)
            expectError(outcome, 78, "the server (PostgreSQL 15")
            #expect(outcome.errors.contains("pgvector on the server"))
            #expect(try await database.run("select 1 from pg_namespace where nspname = 'knot'").isEmpty)
        }
    }

    @Test func `an old schema says which command brings it up`() async throws {
        try await withDatabase { database in
            let empty = try await DatabaseCommand.run("\"$KNOT\" run --all", on: database.url)
            expectError(empty, 78, "the database has no schema yet, and this command needs migration ")
            #expect(try await DatabaseCommand.run("\"$KNOT\" migrate --to 12", on: database.url).code == 0)
            let verbs = [
                "run --all", "import fixtures/vaults", "learn --all", "vault show --vault \(DatabaseCommand.first)",
            ]
            for verb in verbs {
                let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: database.url)
                expectError(outcome, 78, "the database is at migration 12, and this command needs migration ")
                #expect(outcome.errors.contains("knot-recommend migrate"))
            }
            #expect(try await database.run("select count(*) from public.partner_vaults") == [["0"]])
        }
    }

    @Test func `a newer schema asks for a newer program`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            try await database.run(
                "insert into knot.knot_migrations (number, name, checksum, engine_version) values (9000, 'n', 'c', '9')"
            )
            for verb in ["migrate", "run --all", "forget --yes --vault \(DatabaseCommand.first)"] {
                let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: database.url)
                expectError(outcome, 78, "the database has migration n, and this binary knows only up to ")
            }
            #expect(try await database.run("select count(*) from public.partner_vaults") == [["2"]])
        }
    }

    @Test(arguments: [
        ("25006", Int32(69), "the database takes no writes, "), ("53100", 74, "the database server's disk is full, "),
        ("57014", 130, "the statement was cancelled, "), ("42501", 77, "the database role may not do this, "),
    ])
    func `a refused write leaves nothing of the set`(state: String, code: Int32, start: String) async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            // The server's own answer, at the last of the statements that write.
            try await database.run(
                """
                create function refuse() returns trigger language plpgsql as
                    $$ begin raise exception 'no' using errcode = '\(state)'; end $$;
                create trigger refuse after insert on public.recommendations for each row execute function refuse()
                """
            )
            let one = try await DatabaseCommand.run("\"$KNOT\" run --vault \(DatabaseCommand.first)", on: database.url)
            expectError(one, code, start)
            let all = try await DatabaseCommand.run("\"$KNOT\" run --all", on: database.url)
            #expect(all.code == code || code == 130, "\(all)")
            #expect(try await database.run("select count(*) from recommendation_runs") == [["0"]])
            #expect(try await database.run("select count(*) from recommendations where run_id is not null") == [["0"]])
        }
    }

    @Test func `a server that stops in the middle ends the batch with one line and whole sets only`() async throws {
        try await TestServer.withOwn { server in
            try await withDatabase(on: server, .commandStocked) { database in
                // The second set waits for a lock that the test holds, and the server goes away meanwhile.
                let keeper = try await PlainConnection.open(database.url)
                try await keeper.run("begin")
                try await keeper.run("lock table public.recommendations in access exclusive mode")
                async let outcome = DatabaseCommand.run(
                    "\"$KNOT\" run --all --threads 1 --request r",
                    on: database.url
                )
                try await Self.waitForWaiters(server.url(database: "postgres"))
                try await server.stop()
                let ended = try await outcome
                #expect([69, 75].contains(ended.code), "\(ended)")
                let lines = ended.errors.split(separator: "\n").filter { !$0.hasPrefix("note: waiting for") }
                #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("error: ") }, "\(ended)")
                try await server.start()
                let torn = try await database.run(
                    """
                    select r.id from recommendation_runs r
                    where (select count(*) from recommendations c where c.run_id = r.id) <> 3
                    """
                )
                #expect(torn.isEmpty)
                let again = try await DatabaseCommand.run("\"$KNOT\" run --all --request r", on: database.url)
                #expect(again.code == 0, "\(again)")
                #expect(try await database.run("select count(*) from recommendation_runs") == [["2"]])
            }
        }
    }

    /// Returns when somebody waits for a lock.
    private static func waitForWaiters(_ url: String) async throws {
        let watch = try await PlainConnection.open(url)
        try await LastResort.wait {
            try await !watch.run(
                "select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'knot-recommend'"
            ).isEmpty
        }
    }
}

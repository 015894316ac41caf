import Composition
import Foundation
import LocalPostgres
import TestSupport
import Testing
import VaultStore

/// A server that reads and does not write, made so for real: by its role, by a setting, and by a disk that is full.
@Suite(.onOwnThreads, .tags(.database), .needs(.eighteen)) struct `A server that takes no writes` {
    private static let readOnly = "error: the database takes no writes"

    private func expectLine(
        _ outcome: BuiltCommand.Outcome,
        _ code: Int32,
        _ start: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.code == code, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix(start), "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Every verb that writes fails with one line, and those that read go on.
    private func expectReadersOnly(_ url: String) async throws {
        for verb in [
            "run --model none --vault \(DatabaseCommand.first)", "run --model none --all",
            "import fixtures/vaults/dev-03.json",
            "learn --vault \(DatabaseCommand.first)", "forget --yes --vault \(DatabaseCommand.first)",
            "hint add --text 'a hat' --vault \(DatabaseCommand.first)",
        ] {
            let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: url)
            expectLine(outcome, 69, Self.readOnly)
        }
        for verb in [
            "run --dry-run --model none --vault \(DatabaseCommand.first)",
            "vault show --vault \(DatabaseCommand.first)",
            "history --vault \(DatabaseCommand.first)", "export --vault \(DatabaseCommand.first)", "migrate --status",
        ] {
            let outcome = try await DatabaseCommand.run("\"$KNOT\" \(verb) >/dev/null", on: url)
            #expect(outcome.code == 0, "\(verb): \(outcome)")
        }
    }

    private static let counts = """
        select (select count(*) from partner_vaults), (select count(*) from recommendation_runs),
            (select count(*) from recommendations), (select count(*) from hints)
        """

    @Test func `a standby is read and not written`() async throws {
        try await TestServer.withOwn(settings: ["wal_level": "replica", "hot_standby": "on"]) { server in
            try await withDatabase(on: server, .commandStocked) { database in
                let before = try await database.run(Self.counts)
                try await server.stop()
                // Without a primary it waits for more of the log and answers readers meanwhile.
                let signal = "\(server.running.folder)/data/standby.signal"
                #expect(FileManager.default.createFile(atPath: signal, contents: nil))
                try await server.start()
                #expect(try await database.run("select pg_is_in_recovery()") == [["t"]])
                try await expectReadersOnly(database.url)
                try await server.stop()
                try FileManager.default.removeItem(atPath: signal)
                try await server.start()
                #expect(try await database.run(Self.counts) == before)
            }
        }
    }

    @Test func `a database that is set to reading is read and not written`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let before = try await database.run(Self.counts)
            try await database.run("alter database \(database.name) set default_transaction_read_only = on")
            try await expectReadersOnly(database.url)
            // From beside, where writing is still allowed.
            _ = try await PlainConnection.run(
                "alter database \(database.name) reset default_transaction_read_only",
                on: database.server.url(database: "postgres")
            )
            #expect(try await database.run(Self.counts) == before)
            let outcome = try await DatabaseCommand.run(
                "\"$KNOT\" run --model none --vault \(DatabaseCommand.first)",
                on: database.url
            )
            #expect(outcome.code == 0, "\(outcome)")
        }
    }

    /// A small file system in memory, which only root may make, and not everywhere.
    private static func shell(_ script: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static let mayMount = shell(
        "d=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs $d && umount $d && rmdir $d"
    )

    @Test(.enabled("only root may mount a small file system", { mayMount }))
    func `a full disk leaves whole vaults and whole sets, and room lets it go on`() async throws {
        try await TestServer.withOwn { server in
            let folder = "\(server.running.folder)/small"
            let owner = "$(stat -c %u:%g '\(server.running.folder)/data')"
            try #require(Self.shell("mkdir '\(folder)' && mount -t tmpfs -o size=40m tmpfs '\(folder)'"))
            defer { _ = Self.shell("umount -l '\(folder)'") }
            try #require(Self.shell("chown \(owner) '\(folder)' && chmod 700 '\(folder)'"))
            try await withDatabase(on: server, .commandStocked) { database in
                let admin = server.url(database: "postgres")
                _ = try await PlainConnection.run("create tablespace small location '\(folder)'", on: admin)
                _ = try await PlainConnection.run("alter database \(database.name) set tablespace small", on: admin)
                try await database.run(
                    "create table filler (bytes bytea); alter table filler alter bytes set storage external"
                )
                // In ever smaller pieces, until not even a page is left.
                for size in [1_000_000, 100_000, 8_000, 1_000] {
                    for _ in 0..<2_000 {
                        do {
                            try await database.run("insert into filler select convert_to(repeat('x', \(size)), 'utf8')")
                        } catch let error as DatabaseTestError where error.state == "53100" {
                            break
                        }
                    }
                }
                let full = "error: the database server's disk is full"
                let imported = try await DatabaseCommand.run(
                    "\"$KNOT\" import fixtures/vaults/dev-0*.json",
                    on: database.url
                )
                expectLine(imported, 74, full)
                let vaults = try await database.run(
                    """
                    select v.id from partner_vaults v
                    where not exists (select from vault_imports i where i.vault_id = v.id)
                        or (select count(*) from partner_budgets b where b.vault_id = v.id) <> 3
                        or not exists (select from catalogue_items c where c.vault_id = v.id)
                    """
                )
                #expect(vaults.isEmpty, "half a vault was imported")
                // A set may still find room in the pages there are; many cannot.
                var ending = BuiltCommand.Outcome(code: 0, output: "", errors: "")
                for number in 0..<60 where ending.code == 0 {
                    ending = try await DatabaseCommand.run(
                        "\"$KNOT\" run --model none --all --request r\(number)",
                        on: database.url
                    )
                }
                #expect(ending.code == 74 && ending.errors.hasPrefix(full), "\(ending)")
                #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
                let torn = try await database.run(
                    """
                    select r.id from recommendation_runs r
                    where (select count(*) from recommendations c where c.run_id = r.id) <> 3
                    """
                )
                #expect(torn.isEmpty)
                try await database.run("drop table filler")
                let again = try await DatabaseCommand.run(
                    "\"$KNOT\" import fixtures/vaults/dev-0*.json && \"$KNOT\" run --model none --all --request again",
                    on: database.url
                )
                #expect(again.code == 0, "\(again)")
            }
            _ = try await PlainConnection.run("drop tablespace small", on: server.url(database: "postgres"))
        }
    }
}

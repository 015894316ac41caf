import Composition
import Foundation
import TestSupport
import Testing
import VaultStore

/// Waits that come to an end, and say whom they are for.
@Suite(.tags(.database), .needs(.eighteen)) struct `A database where something is locked` {
    /// Runs the script while another session holds a lock for as long as the test goes on.
    private func expectToWait(_ script: String, holding lock: String, in database: TestDatabase) async throws {
        let holder = try await PlainConnection.open(database.url)
        let pid = try await holder.run("set application_name = 'the archive'; select pg_backend_pid()")[0][0] ?? ""
        try await holder.run("begin; \(lock)")
        let named = "waiting for process \(pid) (the archive)"
        var seconds = 2
        var outcome = BuiltCommand.Outcome(code: 0, output: "", errors: "")
        // A slow machine comes to the lock after a short deadline.
        repeat {
            outcome = try await DatabaseCommand.run("\"$KNOT\" \(script) --deadline \(seconds)s", on: database.url)
            seconds *= 2
        } while outcome.code == 75 && !outcome.errors.contains(named) && seconds < 200
        #expect(outcome.code == 75 && outcome.errors.contains(named), "\(script): \(outcome)")
        try await holder.run("rollback")
    }

    private static let cases: [(script: String, lock: String)] = [
        ("run --model none --vault \(DatabaseCommand.first)", "lock table knot.knot_migrations"),
        ("run --model none --vault \(DatabaseCommand.first)", "lock table recommendation_runs"),
        ("run --model none --vault \(DatabaseCommand.first)", "lock table partner_vaults"),
        ("hint add --text x --vault \(DatabaseCommand.first)", "lock table hints"),
        (
            "forget \(DatabaseCommand.yes) --vault \(DatabaseCommand.first)",
            "select 1 from partner_vaults for update"
        ),
        ("import --replace fixtures/vaults/dev-01.json", "lock table catalogue_items"),
        ("export --vault \(DatabaseCommand.first)", "lock table hints"),
        ("history --vault \(DatabaseCommand.first)", "lock table recommendation_runs"),
        ("migrate", "lock table knot.knot_migrations"),
    ]

    @Test(arguments: cases.indices)
    func `is waited for as long as the deadline says, and the holder is named`(number: Int) async throws {
        let (script, lock) = Self.cases[number]
        try await withDatabase(.eighteen, .commandStocked) { database in
            try await expectToWait(script, holding: lock, in: database)
        }
    }

    @Test func `keeps a migrator waiting for so long as it was given`() async throws {
        try await withDatabase { database in
            let lock = "select pg_advisory_xact_lock(7165074262157316)"
            try await expectToWait("migrate", holding: lock, in: database)
        }
    }

    @Test func `a server that never says a word is given up by the deadline`() async throws {
        let port = try LoopbackPort()
        let url = "postgresql://knot@127.0.0.1:\(port.number)/knot?sslmode=disable&gssencmode=disable"
        let outcome = try await DatabaseCommand.run("\"$KNOT\" run --all --deadline 2s", on: url)
        #expect(outcome.code == 75 && outcome.errors.contains("allow more with --deadline"), "\(outcome)")
    }
}

import Composition
import Foundation
import TestSupport
import Testing
import VaultStore

/// Waits that come to an end, and say whom they are for.
@Suite(.tags(.database), .needs(.eighteen)) struct `A database where something is locked` {
    /// Runs the script while another session holds a lock.
    private func run(
        _ script: String,
        holding lock: String,
        in database: TestDatabase
    ) async throws -> (outcome: BuiltCommand.Outcome, took: Duration, holder: String) {
        let holder = try await PlainConnection.open(database.url)
        let pid = try await holder.run("set application_name = 'the archive'; select pg_backend_pid()")[0][0] ?? ""
        try await holder.run("begin; \(lock)")
        let start = ContinuousClock.now
        let outcome = try await DatabaseCommand.run("\"$KNOT\" \(script)", on: database.url)
        let took = ContinuousClock.now - start
        try await holder.run("rollback")
        return (outcome, took, "waiting for process \(pid) (the archive)")
    }

    private static let cases: [(script: String, lock: String)] = [
        ("run --model none --vault \(DatabaseCommand.first) --deadline 3s", "lock table knot.knot_migrations"),
        ("run --model none --vault \(DatabaseCommand.first) --deadline 3s", "lock table recommendation_runs"),
        ("run --model none --vault \(DatabaseCommand.first) --deadline 3s", "lock table partner_vaults"),
        ("hint add --text x --vault \(DatabaseCommand.first) --deadline 3s", "lock table hints"),
        (
            "forget \(DatabaseCommand.yes) --vault \(DatabaseCommand.first) --deadline 3s",
            "select 1 from partner_vaults for update"
        ),
        ("import --replace fixtures/vaults/dev-01.json --deadline 3s", "lock table catalogue_items"),
        ("export --vault \(DatabaseCommand.first) --deadline 3s", "lock table hints"),
        ("history --vault \(DatabaseCommand.first) --deadline 3s", "lock table recommendation_runs"),
        ("migrate --deadline 3s", "lock table knot.knot_migrations"),
    ]

    @Test(arguments: cases.indices)
    func `is waited for as long as the deadline says, and the holder is named`(number: Int) async throws {
        let (script, lock) = Self.cases[number]
        try await withDatabase(.eighteen, .commandStocked) { database in
            let (outcome, took, holder) = try await run(script, holding: lock, in: database)
            #expect(outcome.code == 75, "\(outcome)")
            #expect(outcome.errors.contains(holder), "\(outcome)")
            // The deadline, what a finished set may take beyond it, the cancel, and a slow machine.
            #expect(took < .seconds(12), "\(script)")
        }
    }

    @Test func `keeps a migrator waiting for so long as it was given`() async throws {
        try await withDatabase { database in
            let lock = "select pg_advisory_xact_lock(7165074262157316)"
            let (outcome, took, holder) = try await run("migrate --deadline 3s", holding: lock, in: database)
            #expect(outcome.code == 75 && outcome.errors.contains(holder), "\(outcome)")
            #expect(took < .seconds(12))
        }
    }

    @Test func `a server that never says a word is given up by the deadline`() async throws {
        let port = try LoopbackPort()
        let start = ContinuousClock.now
        let url = "postgresql://knot@127.0.0.1:\(port.number)/knot?sslmode=disable&gssencmode=disable"
        let outcome = try await DatabaseCommand.run("\"$KNOT\" run --all --deadline 2s", on: url)
        #expect(outcome.code == 75 && outcome.errors.contains("allow more with --deadline"), "\(outcome)")
        #expect(ContinuousClock.now - start < .seconds(10))
    }
}

import TestSupport
import Testing

@testable import VaultStore

@Suite("A COMMIT that is not answered", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct UnknownCommitTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let fault: WireProxy.Fault
        let resolution: CommitResolution
        let count: Int
        var testDescription: String { "\(fault)" }
    }

    private static let cases = [
        Case(fault: .cutBeforeCommit, resolution: .aborted, count: 0),
        Case(fault: .cutAfterCommit, resolution: .committed, count: 1),
        Case(fault: .silenceAfterCommit, resolution: .committed, count: 1),
    ]

    @Test(arguments: cases)
    private func `is unknown, and a new connection tells`(example: Case) async throws {
        let direct = try await openConnection()
        try await direct.runScript("create table t (n int8)")
        let (proxy, connection) = try await proxied()
        proxy.breakLine(example.fault)
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction(until: .now + .milliseconds(300)) { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
            }
        }
        #expect(error.code == .unknownCommit)
        #expect(error.isPoisoning)
        #expect(!error.isTransient)
        #expect(!connection.isUsable)
        let commit = try #require(error.unknownCommit)
        let resolution = await CommitResolution.resolve(commit, at: direct.target, until: .now + .seconds(30))
        #expect(resolution == example.resolution)
        #expect(try await direct.run("select count(*) as n from t").only().decode("n", as: Int.self) == example.count)
    }

    @Test func `of which the server knows nothing stays unknown`() async throws {
        let direct = try await openConnection()
        let commit = UnknownCommit(transactionID: 1 << 40)
        #expect(await CommitResolution.resolve(commit, at: direct.target, until: .now + .seconds(30)) == .unknown)
    }

    @Test func `is waited for while the transaction is in progress`() async throws {
        let direct = try await openConnection()
        let other = try await openConnection()
        try await other.runScript("begin")
        let row = try await other.run("select pg_current_xact_id()::text as id").only()
        let id = try #require(UInt64(try row.decode("id", as: String.self)))
        let commit = UnknownCommit(transactionID: id)
        let soon = await CommitResolution.resolve(commit, at: direct.target, until: .now + .milliseconds(300))
        #expect(soon == .unknown)
        async let later = CommitResolution.resolve(commit, at: direct.target, until: .now + .seconds(30))
        try await other.runScript("commit")
        #expect(await later == .committed)
    }
}

import TestSupport
import Testing

@testable import PostgresClient

@Suite("A COMMIT that is not answered", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct UnknownCommitTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let fault: WireProxy.Fault
        let isThere: Bool
        var testDescription: String { "\(fault)" }
    }

    private static let cases = [
        Case(fault: .cutBeforeCommit, isThere: false),
        Case(fault: .cutAfterCommit, isThere: true),
        Case(fault: .silenceAfterCommit, isThere: true),
    ]

    private static let proof = CommitProof(of: "there", "select 1 from t")

    @Test(arguments: cases)
    private func `is unknown, and its effect tells`(example: Case) async throws {
        let direct = try await openConnection()
        try await direct.runScript("create table t (n int8)")
        let (proxy, connection) = try await proxied()
        proxy.breakLine(example.fault)
        // A line that is cut tells at once; of one that is silent, only the deadline does.
        let limit = example.fault == .silenceAfterCommit ? Duration.seconds(2) : LastResort.limit
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction(until: .now + limit) { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
            }
        }
        #expect(error.code == .unknownCommit)
        #expect(error.isPoisoning)
        #expect(!error.isTransient)
        #expect(!connection.isUsable)
        let commit = try #require(error.unknownCommit)
        let resolution = await commit.resolve(Self.proof, at: direct.target)
        #expect(resolution.isCommitted == example.isThere)
    }

    @Test func `whose number the server has not given out yet, or to somebody else, is undone where nothing is there`()
        async throws
    {
        let direct = try await openConnection()
        try await direct.runScript("create table t (n int8)")
        let row = try await direct.run("select pg_current_xact_id()::text as id").only()
        let others = try #require(UInt64(try row.decode("id", as: String.self)))
        for number in [others, 1 << 40] {
            let resolution = await UnknownCommit(transactionID: number).resolve(Self.proof, at: direct.target)
            #expect(resolution.isCommitted == false)
        }
    }

    @Test func `is waited for while the transaction is in progress, for so long and no longer`() async throws {
        let direct = try await openConnection()
        let other = try await openConnection()
        try await direct.runScript("create table t (n int8)")
        try await other.runScript("begin; insert into t values (1)")
        let row = try await other.run("select pg_current_xact_id()::text as id").only()
        let commit = UnknownCommit(transactionID: try #require(UInt64(try row.decode("id", as: String.self))))
        let soon = await commit.resolve(Self.proof, at: direct.target, within: .milliseconds(300))
        #expect(soon.isCommitted == nil)
        async let later = commit.resolve(Self.proof, at: direct.target)
        try await other.runScript("commit")
        #expect(await later.isCommitted == true)
    }
}

extension CommitResolution {
    /// Nil where nobody knows.
    fileprivate var isCommitted: Bool? {
        switch self {
        case .committed: true
        case .undone: false
        case .unknown: nil
        }
    }
}

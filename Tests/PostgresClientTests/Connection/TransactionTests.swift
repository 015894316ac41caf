import TestSupport
import Testing

@testable import PostgresClient

@Suite("A transaction", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct TransactionTests {
    private func table() async throws -> PostgresConnection {
        let connection = try await openConnection()
        try await connection.runScript("create table t (n int8 unique)")
        return connection
    }

    private func count(_ connection: PostgresConnection) async throws -> Int {
        try await connection.run("select count(*) as n from t").only().decode("n")
    }

    @Test func `is undone by an error of its body`() async throws {
        let connection = try await table()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
                _ = try await transaction.run("insert into t values (\(1))")
            }
        }
        #expect(error.code == .uniqueViolation)
        #expect(try await count(connection) == 0)
        #expect(connection.isUsable)
    }

    @Test func `whose failed statement was overlooked says that it was rolled back`() async throws {
        let connection = try await table()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
                do throws(PostgresError) { _ = try await transaction.run("select 1/0") } catch {}
            }
        }
        #expect(error.code == .rolledBack)
        #expect(try await count(connection) == 0)
        #expect(connection.isUsable)
    }

    @Test func `refused at COMMIT by a late constraint is a plain failure`() async throws {
        let connection = try await openConnection()
        try await connection.runScript("create table t (n int8 unique deferrable initially deferred)")
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                _ = try await transaction.pipeline(["insert into t values (\(1))", "insert into t values (\(1))"])
            }
        }
        #expect(error.code == .uniqueViolation)
        #expect(connection.isUsable)
    }

    @Test func `can be given up without an error`() async throws {
        let connection = try await table()
        let value = try await connection.transaction { transaction throws(PostgresError) in
            _ = try await transaction.run("insert into t values (\(1))")
            try await transaction.rollBack()
            return "lost"
        }
        #expect(value == "lost")
        #expect(try await count(connection) == 0)
    }

    @Test func `is kept when its body ends`() async throws {
        let connection = try await table()
        let sum = try await connection.transaction { transaction throws(PostgresError) in
            let rows = try await transaction.pipeline(
                ["insert into t values (\(1)), (\(2))", "select sum(n)::int8 as sum from t"]
            )
            return try rows[1].only().decode("sum", as: Int.self)
        }
        #expect(sum == 3)
        #expect(try await count(connection) == 2)
    }

    @Test func `lets nothing else run on its connection`() async throws {
        let connection = try await table()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
                _ = try await connection.run("insert into t values (\(2))")
            }
        }
        #expect(error.code == .misuse)
        #expect(try await count(connection) == 0)
    }

    @Test func `that is read only refuses to write`() async throws {
        let connection = try await table()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction(.snapshot) { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
            }
        }
        #expect(error.code == .readOnly)
    }

    @Test func `out of time is undone, and the connection works on`() async throws {
        let connection = try await table()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.transaction(until: .now + .milliseconds(200)) { transaction throws(PostgresError) in
                _ = try await transaction.run("insert into t values (\(1))")
                _ = try await transaction.run("select pg_sleep(1200)")
            }
        }
        #expect(error.code == .statementTimeout)
        #expect(try await count(connection) == 0)
        #expect(connection.isUsable)
    }

    @Test func `of a cancelled task is undone`() async throws {
        let connection = try await table()
        let task = Task { () async -> PostgresError? in
            do throws(PostgresError) {
                try await connection.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.run("insert into t values (\(1))")
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
                return nil
            } catch {
                return error
            }
        }
        #expect(await task.value?.code == .cancelled)
        #expect(try await count(connection) == 0)
        #expect(connection.isUsable)
    }
}

import TestSupport
import Testing

@testable import PostgresClient

@Suite("The limits of a transaction", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct TransactionLimitsTests {
    private static let query: SQLQuery = """
        select current_setting('idle_in_transaction_session_timeout') || ' ' || current_setting('statement_timeout')
            as found
        """

    private func inside(_ connection: PostgresConnection) async throws -> String {
        try await connection.transaction(until: LastResort.end) { transaction throws(PostgresError) in
            try await transaction.run(Self.query).only().decode("found", as: String.self)
        }
    }

    @Test func `let nobody be silent in it for long, and end with it`() async throws {
        let connection = try await openConnection()
        let before = try await connection.run(Self.query).only().decode("found", as: String.self)
        // What is left of the caller's time, in milliseconds.
        #expect(try await inside(connection).hasPrefix("10s 1"))
        #expect(try await connection.run(Self.query).only().decode("found", as: String.self) == before)
    }

    @Test(arguments: ["5s", "900ms"]) func `leave a stricter one as it is`(limit: String) async throws {
        let connection = try await openConnection()
        try await connection.runScript("set idle_in_transaction_session_timeout = '\(limit)'")
        #expect(try await inside(connection).hasPrefix("\(limit) "))
    }

    @Test(arguments: ["1min", "0"]) func `take the place of a laxer one`(limit: String) async throws {
        let connection = try await openConnection()
        try await connection.runScript("set idle_in_transaction_session_timeout = '\(limit)'")
        #expect(try await inside(connection).hasPrefix("10s "))
    }
}

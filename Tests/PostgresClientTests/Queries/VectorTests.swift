import TestSupport
import Testing

@testable import PostgresClient

@Suite("A vector of pgvector", .tags(.database), .database(.eighteen))
struct VectorTests {
    @Test func `comes back as it went, and has the server's distances`() async throws {
        let connection = try await openConnection()
        try await connection.runScript("create extension vector; create table things (v vector(3))")
        var random = SeededRandom(seed: 3)
        let values = (0..<40).map { _ in (0..<3).map { _ in Float.random(in: -1...1, using: &random) } }
        _ = try await connection.pipeline(values.map { "insert into things values (\(PostgresVector($0)))" })
        let rows = try await connection.run("select v, v <=> \(PostgresVector(values[0])) as distance from things")
        #expect(
            try rows.map { row throws(PostgresError) in try row.decode("v", as: PostgresVector.self).values } == values
        )
        #expect(abs(try rows[0].decode("distance", as: Double.self)) < 1e-6)
        let cast = try await connection.run("select \(PostgresVector(values[1]))::vector as v").only()
        #expect(try cast.decode("v", as: PostgresVector.self).values == values[1])
    }

    @Test func `that does not exist is the missing extension`() async throws {
        let connection = try await openConnection()
        let error = await #expect(throws: PostgresError.self) { try await connection.run("select '[1]'::vector") }
        #expect(error?.code == .missingExtension)
    }
}

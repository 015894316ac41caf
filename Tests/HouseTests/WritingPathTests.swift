import Testing

/// Laws of the database that no single call can show: one way to write, and nothing left in a session.
@Suite("The way to the database")
struct WritingPathTests {
    /// Files with a line that says one of the words, by the words.
    private static func files(saying words: [String]) throws -> Set<String> {
        var found: Set<String> = []
        for file in House.files(in: "Sources", endings: [".swift"]) {
            let lines = try House.text(file).split(separator: "\n").filter {
                !$0.drop { $0 == " " }.hasPrefix("//")
            }
            if lines.contains(where: { line in words.contains { line.contains($0) } }) { found.insert(file) }
        }
        return found
    }

    @Test func `begins a writing transaction in one place, which asks what proves it`() throws {
        #expect(
            try Self.files(saying: ["connection.transaction("]) == [
                "Sources/PostgresClient/Pool/ConnectionPool+Writing.swift",
                // This one takes reading modes alone.
                "Sources/VaultStore/ImportExport/ConnectionPool+Refusing.swift",
            ]
        )
    }

    @Test func `asks for a transaction's number only to see whether it goes on`() throws {
        #expect(
            try Self.files(saying: ["pg_xact_status"])
                == ["Sources/PostgresClient/Connection/CommitResolution.swift"]
        )
    }

    @Test func `leaves nothing in a session: no setting, no lock, no listener`() throws {
        let words = ["', false)", "pg_advisory_lock", "pg_try_advisory_lock", "\"listen ", "create temp"]
        let said = try Self.files(saying: words).filter {
            $0.hasPrefix("Sources/VaultStore/") || $0.hasPrefix("Sources/PostgresClient/")
        }
        #expect(said.isEmpty, "\(said)")
    }
}

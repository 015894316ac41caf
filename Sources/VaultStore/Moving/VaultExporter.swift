package import JSONDocument

/// Brings vaults out again.
package struct VaultExporter: Sendable {
    private let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// The vault as `knot.fixture/1`: what an imported file said itself comes out as it went in.
    package func fixture(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> JSONValue {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            try await Self.fixture(vault, in: transaction)
        }
    }

    /// Everything the database holds of the vault's person, table by table, and the fixture.
    ///
    /// Under a person's own rights, a table that only the server's roles may read is null and named as withheld.
    package func everything(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> JSONValue {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let fixture: JSONValue
            switch try await Self.fixture(vault, in: transaction) {
            case .failure(let error): return .failure(error)
            case .success(let document): fixture = document
            }
            var readable = PersonTable.all
            if case .person = pool.identity {
                let names = try await transaction.run(PersonTable.readable)
                    .map { row throws(PostgresError) in try row.decode("name", as: String.self) }
                readable = readable.filter { names.contains($0.name) }
            }
            var tables = JSONObject(PersonTable.all.map { .init(name: $0.name, value: .null) })
            let results = try await transaction.pipeline(readable.map { $0.query(vault) })
            for (table, rows) in zip(readable, results) {
                tables[table.name] = try rows.only().decode("rows", as: JSONValue.self)
            }
            let withheld = tables.members.filter(\.value.isNull).map(\.name)
            return .success(
                [
                    "schema": "knot.person/1", "vault_id": .string(vault.description), "fixture": fixture,
                    "tables": .object(tables), "withheld": JSONValue(withheld),
                ]
            )
        }
    }

    private static func fixture(
        _ vault: PostgresUUID,
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Result<JSONValue, MovingError> {
        let found = try await transaction.pipeline(
            VaultRows.queries(vault) + [FixtureFacts.query(vault), CatalogueRows.query(vault)]
        )
        guard let rows = try VaultRows(found) else { return .failure(.noVault) }
        let facts = try found[9].first.map { row throws(PostgresError) in try FixtureFacts(row) }
        let candidates = try found[10].map { row throws(PostgresError) in try row.decode("raw", as: JSONValue.self) }
        return .success(
            FixtureLayout.document(rows, facts ?? FixtureFacts(vault: vault), candidates: candidates)
        )
    }
}

extension MovingError {
    static let noVault = MovingError(.notThere, "there is no such vault")
}

package import JSONDocument

/// Brings vaults out again.
package struct VaultExporter: Sendable {
    private let pool: ConnectionPool
    private let identity: ActingIdentity

    package init(_ pool: ConnectionPool, as identity: ActingIdentity = .connection) {
        self.pool = pool
        self.identity = identity
    }

    /// The vault as `knot.fixture/1`: what an imported file said itself comes out as it went in.
    package func fixture(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> JSONValue {
        try await pool.move(.snapshot, until: deadline) { transaction throws(PostgresError) in
            try await Self.fixture(vault, as: identity, in: transaction)
        }
    }

    /// Everything the database holds of the vault's person, table by table, and the fixture.
    package func everything(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> JSONValue {
        try await pool.move(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let fixture: JSONValue
            switch try await Self.fixture(vault, as: .connection, in: transaction) {
            case .failure(let error): return .failure(error)
            case .success(let document): fixture = document
            }
            let results = try await transaction.pipeline(PersonTable.all.map { $0.query(vault) })
            var tables = JSONObject()
            for (table, rows) in zip(PersonTable.all, results) {
                tables[table.name] = try rows.only().decode("rows", as: JSONValue.self)
            }
            return .success(
                [
                    "schema": "knot.person/1", "vault_id": .string(vault.description), "fixture": fixture,
                    "tables": .object(tables),
                ]
            )
        }
    }

    private static func fixture(
        _ vault: PostgresUUID,
        as identity: ActingIdentity,
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Result<JSONValue, MovingError> {
        let results = try await transaction.pipeline(
            identity.statements + VaultRows.queries(vault) + [FixtureFacts.query(vault), CatalogueRows.query(vault)]
        )
        let found = Array(results.dropFirst(identity.statements.count))
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

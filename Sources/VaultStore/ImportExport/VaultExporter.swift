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
            var fixture = JSONValue.null
            var problems: [JSONProblem] = []
            switch try await Self.fixture(vault, in: transaction) {
            // The tables hold those rows as they are: nobody is kept from their data by one of them.
            case .failure(let error) where error.code == .unreadable: problems = error.problems
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
                    "problems": .array(problems.map { ["path": .string($0.path), "message": .string($0.message)] }),
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
        guard let rows = VaultRows(found) else { return .failure(.noVault) }
        var problems = rows.problems
        var facts: FixtureFacts?
        if let row = found[VaultRows.count].first {
            do throws(PostgresError) {
                facts = try FixtureFacts(row)
            } catch {
                problems.append(JSONProblem(unreadable: row, of: "vault_imports", error))
            }
        }
        guard problems.isEmpty else {
            return .failure(MovingError(.unreadable, "rows of the vault cannot be read", problems: problems))
        }
        let candidates = try found[VaultRows.count + 1].map { row throws(PostgresError) in
            try row.decode("raw", as: JSONValue.self)
        }
        return .success(
            FixtureLayout.document(rows, facts ?? FixtureFacts(vault: vault), candidates: candidates)
        )
    }
}

extension MovingError {
    static let noVault = MovingError(.notThere, "there is no such vault")
}

package import KnotDomain

/// A few vaults with all that is beside them, read in one round trip and at one moment; each is made when asked for.
package struct VaultGroup: Sendable {
    private let parts: [[PostgresUUID: Rows]]
    /// Whether there is anything in the catalogue for everybody; nil where the catalogue was not read.
    private let shared: Rows?
    private let identity: ActingIdentity
    private let model: String?
    /// How much the server has sent.
    package let byteCount: Int

    /// The results of the statements for several vaults, and of those for their parts of the catalogue.
    init(_ results: [Rows], identity: ActingIdentity, model: String?) throws(PostgresError) {
        let count = VaultStatements.Part.allCases.count
        var parts: [[PostgresUUID: Rows]] = []
        for rows in results.prefix(count + 1) { parts.append(try rows.grouped(by: VaultStatements.owner)) }
        self.parts = parts
        shared = results.count > count + 1 ? results[count + 1] : nil
        self.identity = identity
        self.model = model
        byteCount = results.reduce(0) { $0 + $1.cells.bytes.count }
    }

    /// True where everybody's items are in the catalogue's table.
    package var hasShared: Bool {
        do throws(PostgresError) {
            return try shared?.only().decode("has_shared") ?? false
        } catch {
            // Each vault's own decoding tells what is wrong with the row.
            return false
        }
    }

    /// The vault of that id; throws where there was none, or where its rows are no vault.
    package func stored(_ id: VaultID) throws(VaultReadError) -> StoredVault {
        guard let key = PostgresUUID(id.text) else { throw .noVault(id) }
        var rows = parts.map { $0[key] ?? Rows() }
        if let shared { rows.append(shared) }
        return try VaultDecoding.stored(rows, id: VaultID(key.description), identity: identity, model: model)
    }
}

extension PostgresVaultSource {
    /// Reads several vaults now, in one round trip.
    package static func group(
        _ ids: [VaultID],
        _ pool: ConnectionPool,
        embeddings: HintEmbeddings,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultReadError) -> VaultGroup {
        let keys = ids.compactMap { PostgresUUID($0.text) }
        do throws(PostgresError) {
            let results = try await pool.read(
                VaultStatements.all(keys, embeddings) + CatalogueStatements.stock(keys, model: embeddings.model),
                until: deadline
            )
            return try VaultGroup(results, identity: pool.identity, model: embeddings.model)
        } catch {
            throw .database(error)
        }
    }
}

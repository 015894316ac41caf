package import KnotDomain
package import PostgresClient
import Recommendation
package import StageGraph

/// Vaults in a database, each with everything beside it in one round trip.
package struct PostgresVaultSource: VaultSource {
    package let pool: ConnectionPool
    private let embeddings: HintEmbeddings
    private let readsCatalogue: Bool
    /// How long one read may take, connecting included.
    private let limit: Duration

    package init(
        _ pool: ConnectionPool,
        embeddings: HintEmbeddings = .none,
        readsCatalogue: Bool = false,
        limit: Duration = .seconds(10)
    ) {
        self.pool = pool
        self.embeddings = embeddings
        self.readsCatalogue = readsCatalogue
        self.limit = limit
    }

    package func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        do throws(VaultStoreError) {
            return try await load(id).vault
        } catch {
            throw error.stageFailure
        }
    }

    /// The vault with all that is beside it, as they are now.
    package func load(_ id: VaultID) async throws(VaultStoreError) -> StoredVault {
        guard let uuid = PostgresUUID(id.text) else { throw .noVault(id) }
        let parts: [Rows]
        do throws(PostgresError) {
            let catalogue = readsCatalogue ? CatalogueStatements.catalogue(uuid, model: embeddings.model) : []
            parts = try await pool.read(VaultStatements.all(uuid, embeddings) + catalogue, until: .now + limit)
        } catch {
            throw .database(error)
        }
        return try VaultDecoding.stored(
            parts,
            id: VaultID(uuid.description),
            identity: pool.identity,
            model: embeddings.model
        )
    }

    /// The ids of the vaults there are, in their order: those after `id`, at most `limit` of them.
    package func vaultIDs(after id: VaultID? = nil, limit: Int) async throws(VaultStoreError) -> [VaultID] {
        var after: PostgresUUID?
        if let id {
            after = PostgresUUID(id.text)
            if after == nil { throw .noVault(id) }
        }
        do throws(PostgresError) {
            let parts = try await read([VaultStatements.ids(after: after, limit: max(limit, 0))])
            return try (parts.first ?? Rows()).map { row throws(PostgresError) in
                VaultID(try row.decode("id", as: PostgresUUID.self).description)
            }
        } catch {
            throw .database(error)
        }
    }

    /// Whether there is a vault of that id for whoever asks.
    package func isThere(_ id: VaultID) async throws(VaultStoreError) -> Bool {
        guard let uuid = PostgresUUID(id.text) else { return false }
        do throws(PostgresError) {
            return try await !read([VaultStatements.presence(uuid)])[0].isEmpty
        } catch {
            throw .database(error)
        }
    }

    /// How many vaults there are for whoever asks.
    package func vaultCount() async throws(VaultStoreError) -> Int {
        do throws(PostgresError) {
            return try await read([VaultStatements.count])[0].only().decode("n")
        } catch {
            throw .database(error)
        }
    }

    private func read(_ queries: [SQLQuery]) async throws(PostgresError) -> [Rows] {
        try await pool.read(queries, until: .now + limit)
    }
}

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
        byteCount = results.reduce(0) { $0 + $1.byteCount }
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
    package func stored(_ id: VaultID) throws(VaultStoreError) -> StoredVault {
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
        readsCatalogue: Bool = true,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> VaultGroup {
        let keys = ids.compactMap { PostgresUUID($0.text) }
        do throws(PostgresError) {
            let catalogue = readsCatalogue ? CatalogueStatements.catalogue(keys, model: embeddings.model) : []
            let results = try await pool.read(VaultStatements.all(keys, embeddings) + catalogue, until: deadline)
            return try VaultGroup(results, identity: pool.identity, model: embeddings.model)
        } catch {
            throw .database(error)
        }
    }
}

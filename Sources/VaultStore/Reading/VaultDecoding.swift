import JSONDocument
import KnotDomain

/// Makes a stored vault from the results of `VaultStatements.all`, away from the connection.
enum VaultDecoding {
    static func stored(
        _ parts: [Rows],
        id: VaultID,
        identity: ActingIdentity,
        model: String?
    ) throws(VaultReadError) -> StoredVault {
        guard let row = parts.first?.first else { throw .noVault(id) }
        let (stored, problems): (StoredVault?, [JSONProblem])
        do throws(PostgresError) {
            try identity.check(role: row.decode("role"), session: row.decode("session"))
            (stored, problems) = try all(parts, model: model)
        } catch {
            // A row that cannot be read is this vault's alone.
            guard error.code == .unexpectedValue else { throw .database(error) }
            throw .unusable(id, [JSONProblem(path: error.place, message: error.detail ?? error.what)])
        }
        guard let stored else { throw .unusable(id, problems) }
        return stored
    }

    private static func all(
        _ parts: [Rows],
        model: String?
    ) throws(PostgresError) -> (StoredVault?, [JSONProblem]) {
        var beside = VaultSideRows(parts)
        var assembly = VaultAssembly(parts, layout: try beside.layout())
        let (vault, problems) = try assembly.assemble()
        let embeddings = try beside.embeddings()
        let weights = try beside.weights()
        let imported = try beside.imported(vault)
        guard let vault, beside.problems.isEmpty else { return (nil, problems + beside.problems) }
        let stock = parts.dropFirst(VaultStatements.Part.allCases.count)
        let stored = StoredVault(
            vault: weights?.taste.map { vault.with(learned: $0) } ?? vault,
            hintEmbeddings: embeddings,
            hintReadings: try beside.hintReadings(),
            vaultReadings: try beside.vaultReadings(),
            weights: weights,
            imported: imported,
            stock: stock.count == 2
                ? try CatalogueStock(stock[stock.startIndex], stock[stock.startIndex + 1], model: model) : nil
        )
        return (stored, [])
    }
}

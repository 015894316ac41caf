import JSONDocument
import KnotDomain

/// Brings fixtures into the database: one transaction for each vault, its candidates among it.
package struct VaultImporter: Sendable {
    private let pool: ConnectionPool

    /// The role has to own the tables: no other may write what an import brings.
    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// Imports one vault; the same file a second time changes nothing.
    ///
    /// Other content under a known id is refused, unless `replaces`: then the old vault goes with all its sets.
    package func add(
        _ document: FixtureDocument,
        replaces: Bool = false,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> ImportOutcome {
        guard let vault = PostgresUUID(document.vault.id.text), let user = PostgresUUID(document.vault.userID.text)
        else {
            throw MovingError(.invalid, "an id of the vault is no UUID")
        }
        return try await pool.move(until: deadline) { transaction throws(PostgresError) in
            let person = PersonRow.query(user: user, vault: vault)
            let before = try await transaction.pipeline([person])[0].only()
            func outcome(_ change: ImportOutcome.Change) -> ImportOutcome {
                ImportOutcome(
                    vault: vault,
                    user: user,
                    name: document.name,
                    change: change,
                    candidateCount: document.candidates.count
                )
            }
            let isThere = try before.decode("has_vault", as: Bool.self)
            if isThere, try before.decode("digest", as: String?.self) == document.digest, !replaces {
                return .unwritten(.success(outcome(.unchanged)))
            }
            guard !isThere || replaces else {
                return .refused(MovingError(.vaultThere, "a vault with this id is there, with other content"))
            }
            guard try !before.decode("has_other", as: Bool.self) else {
                return .refused(MovingError(.personHasVault, "this person keeps another vault already"))
            }
            var statements: [SQLQuery] = []
            if try !before.decode("has_person", as: Bool.self) { statements.append(PersonRow.insertion(user)) }
            if isThere { statements.append("delete from public.partner_vaults where id = \(vault)") }
            let rows = VaultRows(document.vault, original: document.original["vault"] ?? .null)
            statements += rows.insertions(vault: vault, user: user)
            let layout = FixtureLayout(document, rows)
            statements.append(
                FixtureFacts(document).insertion(vault: vault, layout, rates: document.rates, digest: document.digest)
            )
            statements.append(CatalogueRows.insertion(document, vault: vault))
            if let learned = document.vault.learned { statements.append(learned.insertion(for: vault)) }
            if let reading = document.reading { statements += ReadingRows.insertions(reading, document, vault: vault) }
            statements.append(FixtureFacts.moment(of: vault))
            let results = try await transaction.pipeline(statements)
            guard let moment = try results.last?.only().decode("moment", as: String.self) else {
                throw PostgresError(.unexpectedValue, at: "vault_imports.imported_at")
            }
            // The same file may replace itself, so its digest alone would not tell this import from the one before.
            return .written(
                outcome(isThere ? .replaced : .added),
                provenBy: """
                    \(fragment: FixtureFacts.moment(of: vault)) and i.file_digest = \(document.digest)
                    and extract(epoch from i.imported_at)::text = \(moment)
                    """
            )
        }
    }
}

import JSONDocument
import KnotDomain
package import PostgresClient

/// Brings fixtures into the database: one transaction for each vault, its candidates among it.
package struct VaultImporter: Sendable {
    private let pool: ConnectionPool

    /// The role has to own the tables: no other may write what an import brings.
    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// Imports one vault; the same file a second time, or another that says the same, changes nothing.
    ///
    /// Other content under a known id is refused, unless `replaces`: then the old vault goes with all its sets, and what was
    /// sent of it is not sent again.
    package func add(
        _ document: FixtureDocument,
        replaces: Bool = false,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> ImportOutcome {
        do throws(VaultStoreError) {
            return try await add(document, replaces: replaces, naming: .byContent, until: deadline)
        } catch {
            // The sets of a fixture's history have no ids in the file.
            guard error.takenKey == "recommendations_pkey" else { throw error }
            return try await add(document, replaces: replaces, naming: .byChance, until: deadline)
        }
    }

    private func add(
        _ document: FixtureDocument,
        replaces: Bool,
        naming: RowNaming,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> ImportOutcome {
        guard let vault = PostgresUUID(document.vault.id.text), let user = PostgresUUID(document.vault.userID.text)
        else {
            throw VaultStoreError(.invalid, "an id of the vault is no UUID")
        }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
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
                if let digest = try before.decode("digest", as: String?.self),
                    let file = try await transaction.pipeline([FixtureFacts.file(of: vault)])[0].first,
                    document.isSame(as: try file.decode("file", as: ByteString.self).bytes, digest: digest)
                {
                    return .unwritten(.success(outcome(.unchanged)))
                }
                let what = "a vault with this id is there, with other content or other files beside it"
                return .refused(VaultStoreError(.vaultThere, what))
            }
            guard try !before.decode("has_other", as: Bool.self) else {
                return .refused(VaultStoreError(.personHasVault, "this person keeps another vault already"))
            }
            var statements: [SQLQuery] = []
            if try !before.decode("has_person", as: Bool.self) { statements.append(PersonRow.insertion(user)) }
            var settled: SettledReminders?
            if isThere {
                let found = try await SettledReminders(of: vault, user, as: pool.identity, in: transaction)
                if found.isHeld { return .refused(SettledReminders.held) }
                settled = found
                statements.append("delete from public.partner_vaults where id = \(vault)")
            }
            let rows = VaultRows(document.vault, original: document.original["vault"] ?? .null, named: naming)
            statements += rows.insertions(vault: vault, user: user)
            statements += settled?.insertions ?? []
            statements += FixtureFacts(document, rows).insertions(
                vault: vault,
                rates: document.rates,
                digest: document.digest
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

extension VaultImporter {
    /// Imports files as they come, a few side by side; memory holds only those under way.
    ///
    /// A file that is wrong is noted and does not stop the others; a database that fails does. `next` returns nil at
    /// the end and is called by one task at a time.
    package func addAll(
        lanes: Int,
        replaces: Bool = false,
        limit: Duration = .seconds(60),
        next: () async -> ImportSource?,
        progress: (ImportProgress) async -> Void = { _ in }
    ) async -> ImportSummary {
        await withTaskGroup(of: (String, Result<ImportOutcome, VaultStoreError>).self) { group in
            var summary = ImportSummary()
            var underWay = 0
            while true {
                while underWay < max(1, lanes), summary.stoppedBy == nil, !Task.isCancelled, let source = await next() {
                    underWay += 1
                    group.addTask { (source.name, await self.result(source, replaces: replaces, limit: limit)) }
                }
                guard let (name, result) = await group.next() else { return summary }
                underWay -= 1
                Self.count(result, of: name, in: &summary)
                await progress(summary.progress)
            }
        }
    }

    private func result(
        _ source: ImportSource,
        replaces: Bool,
        limit: Duration
    ) async -> Result<ImportOutcome, VaultStoreError> {
        do throws(VaultStoreError) {
            let document = try FixtureDocument(
                parsing: source.bytes,
                readings: source.readings,
                rates: source.rates
            )
            return .success(try await add(document, replaces: replaces, until: .now + limit))
        } catch {
            return .failure(error)
        }
    }

    private static func count(
        _ result: Result<ImportOutcome, VaultStoreError>,
        of name: String,
        in summary: inout ImportSummary
    ) {
        switch result {
        case .success(let outcome): summary.progress.count(outcome.change)
        case .failure(let error):
            summary.progress.failed += 1
            if summary.failures.count < ImportSummary.failuresKept {
                summary.failures.append(ImportSummary.Failure(name: name, error: error))
            }
            if case .database = error.code { summary.stoppedBy = summary.stoppedBy ?? error }
        }
    }
}

/// What an import did with one vault.
package struct ImportOutcome: Sendable, Hashable {
    package enum Change: String, Sendable {
        case added
        /// This very file was imported before.
        case unchanged
        /// Deleted with everything that hung on it but what was sent, and imported anew.
        case replaced
    }

    package let vault: PostgresUUID
    package let user: PostgresUUID
    package let name: String
    package let change: Change
    package let candidateCount: Int
}

/// How far an import of many files is.
package struct ImportProgress: Sendable, Hashable {
    package internal(set) var added = 0
    package internal(set) var unchanged = 0
    package internal(set) var replaced = 0
    package internal(set) var failed = 0

    package var done: Int { added + unchanged + replaced + failed }

    mutating func count(_ change: ImportOutcome.Change) {
        switch change {
        case .added: added += 1
        case .unchanged: unchanged += 1
        case .replaced: replaced += 1
        }
    }
}

/// One file on its way in, with what lies beside it.
package struct ImportSource: Sendable {
    /// What messages call it.
    package let name: String
    package let bytes: [UInt8]
    package let readings: [UInt8]?
    package let rates: [UInt8]?

    package init(name: String, bytes: [UInt8], readings: [UInt8]? = nil, rates: [UInt8]? = nil) {
        self.name = name
        self.bytes = bytes
        self.readings = readings
        self.rates = rates
    }
}

/// What became of many files.
package struct ImportSummary: Sendable {
    /// One file that was not imported.
    package struct Failure: Sendable {
        package let name: String
        package let error: VaultStoreError
    }

    package internal(set) var progress = ImportProgress()
    /// The first hundred.
    package internal(set) var failures: [Failure] = []
    /// Set when the database could not go on; the files after that were not tried.
    package internal(set) var stoppedBy: VaultStoreError?

    static let failuresKept = 100
}

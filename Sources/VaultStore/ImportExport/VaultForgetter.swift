package import PostgresClient

/// `forget`: deletes a vault with everything that hangs on it, and says what that was.
package struct VaultForgetter: Sendable {
    /// How long a worker that hands over a notice is waited for; what a dead one holds waits for longer.
    private static let patience = Duration.seconds(10)

    private let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// Deletes the vault; the person's account stays, for it is the app's.
    ///
    /// With `dryRun` it only counts.
    package func forget(
        _ vault: PostgresUUID,
        dryRun: Bool = false,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> ForgottenVault {
        if !dryRun { try await waitForNotices(of: vault, until: deadline) }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            // Locked first, so that nothing is hung on it between the count and the end.
            let locked = try await transaction.run(
                "select user_id from public.partner_vaults where id = \(vault) for update"
            )
            guard let row = locked.first else { return .refused(.vaultNotThere) }
            let tables = PersonTable.ofVault
            let counts = try await transaction.pipeline(
                tables.map { $0.count(vault) } + [
                    "select id from public.recommendation_runs where vault_id = \(vault) order by id",
                    "select id from public.hints where vault_id = \(vault) order by id",
                    "delete from public.partner_vaults where id = \(vault)",
                ]
            )
            let removals = try zip(tables, counts).map { table, rows throws(PostgresError) in
                ForgottenVault.Removal(table: table.name, count: try rows.only().decode("n", as: Int.self))
            }
            let forgotten = ForgottenVault(
                vault: vault,
                user: try row.decode("user_id"),
                removals: removals.filter { $0.count > 0 },
                runs: try counts[tables.count].map { row throws(PostgresError) in try row.decode("id") },
                hints: try counts[tables.count + 1].map { row throws(PostgresError) in try row.decode("id") }
            )
            if dryRun { return .unwritten(.success(forgotten)) }
            return .written(
                forgotten,
                provenBy: """
                    select 1 where not exists (select 1 from public.partner_vaults v where v.id = \(vault))
                    """
            )
        }
    }

    /// A notice that is on its way would come after everything else has gone, and nobody would remove it any more.
    private func waitForNotices(
        of vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) {
        let end = min(.now + Self.patience, deadline - Self.patience)
        let query: SQLQuery = """
            select exists (
                select 1 from public.recommendation_jobs j
                where j.vault_id = \(vault) and j.state = 'running' and j.notice_id is not null
                    and j.lease_until > knot.clock()
            ) as is_told
            """
        while ContinuousClock.now < end {
            do throws(PostgresError) {
                guard try await pool.read([query], until: deadline)[0].only().decode("is_told") else { return }
            } catch {
                throw .database(error)
            }
            // A cancelled wait ends in the deletion, which refuses to begin.
            do { try await ContinuousClock().sleep(for: .milliseconds(50)) } catch { return }
        }
    }
}

/// What went with a vault.
package struct ForgottenVault: Sendable, Hashable {
    /// Rows of one table.
    package struct Removal: Sendable, Hashable {
        package let table: String
        package let count: Int
    }

    package let vault: PostgresUUID
    package let user: PostgresUUID
    /// Tables that held anything, in the order of the schema.
    package let removals: [Removal]
    /// What files outside the database may be named after.
    package let runs: [PostgresUUID]
    package let hints: [PostgresUUID]
}

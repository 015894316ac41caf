extension PostgresConnection {
    /// Runs reading statements in one round trip, all of which see the database as it is at one moment.
    ///
    /// The preparations come first and their rows are dropped. An error leaves nothing open behind it.
    package func snapshot(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(PostgresError) -> [Rows] {
        guard openTransaction == nil else {
            throw PostgresError(.misuse, at: target.description, detail: "a transaction is open on this connection")
        }
        return try await interruptibly { call throws(PostgresError) in
            // BEGIN is first, since the moment cannot be chosen any more after any other statement.
            let first =
                [TransactionMode.snapshot.begin] + limits(until: deadline).together + identity.statements + preparations
            var rows: [Rows]
            do throws(PostgresError) {
                rows = try exchange(first + queries + ["commit"], CallLimit(call: call, deadline: deadline))
            } catch {
                endFailedSnapshot()
                throw error
            }
            rows.removeFirst(first.count)
            rows.removeLast()
            return rows
        }
    }

    /// Rolls back what a failed statement has left open, or gives the connection up.
    private func endFailedSnapshot() {
        guard let wire, !health.isBroken, !wire.isIdle else { return }
        do throws(PostgresError) {
            _ = try uninterruptibly { call throws(PostgresError) in
                try exchange(["rollback"], CallLimit(call: call, deadline: .now + .seconds(2), isCancellable: false))
            }
            if !wire.isIdle { close() }
        } catch {
            close()
        }
    }
}

extension PostgresConnection {
    /// How long a clean-up or a COMMIT may go on past the caller's deadline.
    private static var finishingGrace: Duration { .seconds(2) }
    /// How long an answer to COMMIT is waited for before its effect is looked for instead.
    private static var commitLimit: Duration { .seconds(10) }

    /// Runs the body in one transaction and commits it; any error rolls it back.
    ///
    /// A connection that breaks while COMMIT is under way gives `unknownCommit`, never a plain failure. What writes goes
    /// through `ConnectionPool.write`, which looks for the effect then.
    func transaction<Value: Sendable>(
        _ mode: TransactionMode = .readWrite,
        until deadline: ContinuousClock.Instant? = nil,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        guard openTransaction == nil else {
            throw PostgresError(.misuse, at: target.description, detail: "a transaction is open on this connection")
        }
        _ = try openWire()
        transactionCount += 1
        let number = transactionCount
        openTransaction = OpenTransaction(number: number, mode: mode, deadline: deadline)
        defer { openTransaction = nil }
        let value: Value
        do throws(PostgresError) {
            value = try await body(PostgresTransaction(connection: self, number: number))
            if Task.isCancelled { throw PostgresError(.cancelled, at: target.description) }
        } catch {
            clearAway()
            throw error
        }
        try commit()
        return value
    }

    func pipeline(_ queries: [SQLQuery], in number: UInt64) async throws(PostgresError) -> [Rows] {
        let open = try transaction(number)
        return try await interruptibly { call throws(PostgresError) in
            let limits = limits(until: open.deadline)
            // The limits and the rights come after BEGIN, so that they end with the transaction.
            let first =
                open.hasBegun
                ? limits.together
                : [open.mode.begin] + limits.open(isWriting: open.mode.isWriting) + identity.statements
            let limit = CallLimit(call: call, deadline: open.deadline)
            // From here on the server may be inside, even if no answer comes.
            openTransaction?.hasBegun = true
            var rows = try exchange(first + queries, limit)
            if !open.hasBegun, open.mode.isWriting {
                openTransaction?.id = try rows[1].only().decode(at: 0, as: String.self).asTransactionID()
            }
            rows.removeFirst(first.count)
            return rows
        }
    }

    func rollBack(_ number: UInt64) throws(PostgresError) {
        let open = try transaction(number)
        openTransaction?.isRolledBack = true
        guard open.hasBegun else { return }
        _ = try uninterruptibly { call throws(PostgresError) in
            try exchange(
                ["rollback"],
                CallLimit(call: call, deadline: .now + Self.finishingGrace, isCancellable: false)
            )
        }
    }

    private func transaction(_ number: UInt64) throws(PostgresError) -> OpenTransaction {
        guard let open = openTransaction, open.number == number, !open.isRolledBack else {
            throw PostgresError(.misuse, at: target.description, detail: "the transaction has ended")
        }
        return open
    }

    /// Rolls back after an error; a connection that cannot even do that is given up, and the server rolls back itself.
    private func clearAway() {
        guard let open = openTransaction, open.hasBegun, !open.isRolledBack, !health.isBroken else { return }
        do throws(PostgresError) {
            try rollBack(open.number)
            if wire?.isIdle != true { close() }
        } catch {
            close()
        }
    }

    private func commit() throws(PostgresError) {
        guard let open = openTransaction, open.hasBegun, !open.isRolledBack else { return }
        let deadline = min(
            max(open.deadline ?? .now + Self.commitLimit, .now + Self.finishingGrace),
            .now + Self.commitLimit
        )
        let tag: String
        do throws(PostgresError) {
            let rows = try uninterruptibly { call throws(PostgresError) in
                try exchange(["commit"], CallLimit(call: call, deadline: deadline, isCancellable: false))
            }
            tag = rows.first?.tag ?? ""
        } catch {
            // The server's own ERROR on a connection that still works is a refusal; everything else is not known.
            if !health.isBroken, wire?.isIdle == true { throw error }
            close()
            guard let id = open.id else { throw error }
            throw PostgresError(
                .unknownCommit,
                sqlState: error.sqlState,
                at: target.description,
                serverMessage: error.serverMessage,
                unknownCommit: UnknownCommit(transactionID: id)
            )
        }
        // COMMIT of a transaction in which a statement failed is answered with ROLLBACK and without an error.
        guard tag == "COMMIT" else { throw PostgresError(.rolledBack, at: target.description) }
    }
}

extension String {
    /// The 64-bit number of a transaction, as the server prints it.
    fileprivate func asTransactionID() throws(PostgresError) -> UInt64 {
        guard let id = UInt64(self) else { throw PostgresError(.unexpectedValue, at: "pg_current_xact_id") }
        return id
    }
}

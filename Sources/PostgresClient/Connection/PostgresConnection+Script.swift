import FileInput

extension PostgresConnection {
    /// Runs the statements of a script as it stands, such as a migration's file; the first failure ends it.
    ///
    /// The script may begin and end transactions; whoever leaves one open ends it with another script.
    package func runScript(
        _ script: String,
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(PostgresError) {
        guard openTransaction == nil else {
            throw PostgresError(.misuse, at: target.description, detail: "a transaction is open on this connection")
        }
        try await interruptibly { call throws(PostgresError) in
            try exchange(script: script, CallLimit(call: call, deadline: deadline))
        }
    }

    func exchange(script: String, _ limit: CallLimit) throws(PostgresError) {
        let wire = try openWire()
        guard !script.utf8.contains(0) else { throw PostgresError(.invalidText, at: "a script") }
        if limit.isCancellable, bell.isInterrupted || Task.isCancelled {
            throw PostgresError(.cancelled, at: target.description)
        }
        guard wire.send(script: script) else {
            throw hangUp(
                PostgresError(.connectionLost, at: target.description, serverMessage: Secret(wire.errorMessage))
            )
        }
        let (results, cause) = try answers(wire, until: .noMoreResults, limit)
        health.setIdle(wire.isIdle)
        if let failed = results.first(where: { $0.kind == .failed }) { throw error(of: failed.diagnosis, cause: cause) }
    }

    /// Runs one statement with values of type text and returns its rows as text.
    package func textRows(
        _ statement: String,
        _ values: [String?],
        until deadline: ContinuousClock.Instant?
    ) async throws(PostgresError) -> [[String?]] {
        try await interruptibly { call throws(PostgresError) in
            let wire = try openWire()
            let binds = values.map(\.bind)
            guard !statement.utf8.contains(0), binds.allSatisfy({ $0.flaw == nil }) else {
                throw PostgresError(.invalidText, at: "a statement")
            }
            guard wire.send(statement, binds: binds, answersText: true) else {
                let message = Secret(wire.errorMessage)
                throw hangUp(PostgresError(.connectionLost, at: target.description, serverMessage: message))
            }
            let (results, cause) = try answers(wire, until: .noMoreResults, CallLimit(call: call, deadline: deadline))
            health.setIdle(wire.isIdle)
            var texts: [[String?]] = []
            for result in results {
                if result.kind == .failed { throw error(of: result.diagnosis, cause: cause) }
                texts += try result.rows.map { row throws(PostgresError) in
                    var line: [String?] = []
                    for place in result.rows.columns.indices { line.append(try row.decode(at: place)) }
                    return line
                }
            }
            return texts
        }
    }
}

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

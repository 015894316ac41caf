/// What became of a transaction whose COMMIT was not answered, as a look at its effect on a new connection tells it.
package enum CommitResolution<Value: Sendable>: Sendable {
    /// The effect is there.
    case committed(Value)
    /// The transaction has ended, and its effect is not there.
    case undone
    /// Nobody could be asked in time, or the transaction goes on.
    case unknown
}

extension UnknownCommit {
    /// How long is looked for, whatever the caller's own time was: a server that crashed needs some to start again.
    package static var grace: Duration { .seconds(30) }

    /// Looks for the effect in new transactions on new connections, until it is seen, or can no longer come about.
    ///
    /// A transaction still in progress belongs to a server process that has not noticed the broken connection: wait. That
    /// its number is in progress, committed or aborted says nothing else, for numbers are given out again after a crash.
    package func resolve<Value: Sendable>(
        _ proof: CommitProof<Value>,
        as identity: ActingIdentity = .connection,
        at target: ConnectionTarget,
        within grace: Duration = grace
    ) async -> CommitResolution<Value> {
        let deadline = ContinuousClock.now + grace
        var pause = Duration.milliseconds(20)
        while ContinuousClock.now < deadline, !Task.isCancelled {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(to: target, as: identity, until: deadline)
                let resolution = try await look(proof, on: connection, until: deadline)
                await connection.close()
                if let resolution { return resolution }
            } catch {
                // What cannot become better by waiting ends the search: rights, configuration, a foreign server.
                guard error.isTransient || error.isPoisoning else { return .unknown }
            }
            // A cancelled sleep ends the loop above.
            do { try await ContinuousClock().sleep(until: min(.now + pause, deadline)) } catch { return .unknown }
            pause = min(pause * 2, .milliseconds(500))
        }
        return .unknown
    }

    /// Nil while the effect is not there and may still come.
    private func look<Value: Sendable>(
        _ proof: CommitProof<Value>,
        on connection: PostgresConnection,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> CommitResolution<Value>? {
        // Asked before the look: what ends between the two is seen by the look.
        let isInProgress = try await isInProgress(on: connection, until: deadline)
        if !proof.look.isEmpty {
            let rows = try await connection.snapshot(proof.look, until: deadline)
            if let value = try proof.value(rows) { return .committed(value) }
        }
        return isInProgress ? nil : .undone
    }

    private func isInProgress(
        on connection: PostgresConnection,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            let rows = try await connection.run(
                "select pg_catalog.pg_xact_status(\(String(transactionID))::text::pg_catalog.xid8) as status",
                until: deadline
            )
            return try rows.only().decode("status", as: String?.self) == "in progress"
        } catch {
            // A number that the server has not given out again since its crash lies in its future.
            guard error.code == .invalidValue else { throw error }
            return false
        }
    }
}

/// A transaction whose COMMIT was sent and not answered: only a new connection can tell whether it happened.
package struct UnknownCommit: Sendable, Hashable, CustomStringConvertible {
    /// The server's 64-bit name of the transaction.
    package let transactionID: UInt64

    package var description: String { "transaction \(transactionID)" }
}

/// What a transaction leaves behind that anybody can see once it is committed, and nobody before: a key, a digest, or that
/// something is gone.
///
/// Only this tells how a COMMIT ended that nobody answered. The transaction's number does not: a server that crashed before
/// the COMMIT was flushed gives the same number out again, and somebody else's work is then "committed" under it.
package struct CommitProof<Value: Sendable>: Sendable {
    let look: [SQLQuery]
    /// Nil where the effect is not there.
    let value: @Sendable ([Rows]) throws(PostgresError) -> Value?

    /// Looks with statements of its own, and makes the value out of what they find.
    package init(_ look: [SQLQuery], _ value: @escaping @Sendable ([Rows]) throws(PostgresError) -> Value?) {
        self.look = look
        self.value = value
    }

    /// The value, where the statement returns a row.
    package init(of value: Value, _ look: SQLQuery) {
        self.init([look]) { rows throws(PostgresError) in rows[0].isEmpty ? nil : value }
    }

    /// For work that is the same done twice: instead of looking for it, it is done again.
    package static var byRepeating: CommitProof { CommitProof([]) { _ throws(PostgresError) in nil } }
}

/// How the body of a writing transaction ends.
package enum Conclusion<Value: Sendable>: Sendable {
    /// Nothing is to be kept: the transaction is rolled back, and this is the answer.
    case unwritten(Value)
    /// To be committed, with what proves it where the COMMIT is not answered.
    case written(Value, CommitProof<Value>)
}

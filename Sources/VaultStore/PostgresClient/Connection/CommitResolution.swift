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

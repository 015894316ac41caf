/// What became of a transaction whose COMMIT was not answered, as a new connection tells it.
package enum CommitResolution: Sendable, Hashable {
    case committed
    case aborted
    /// Nobody could be asked in time, or the server does not remember.
    case unknown

    /// Asks `pg_xact_status` on new connections until there is an answer or the time is over.
    ///
    /// A transaction still in progress belongs to a server process that has not noticed the broken connection: wait.
    package static func resolve(
        _ commit: UnknownCommit,
        at target: ConnectionTarget,
        until deadline: ContinuousClock.Instant = .now + .seconds(60)
    ) async -> CommitResolution {
        var pause = Duration.milliseconds(20)
        while ContinuousClock.now < deadline, !Task.isCancelled {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(to: target, until: deadline)
                let answer = try await status(of: commit, on: connection, until: deadline)
                await connection.close()
                if let answer { return answer }
            } catch {
                // What cannot become better by waiting ends the search: rights, configuration, a foreign server.
                guard error.isTransient || error.isPoisoning else { return .unknown }
            }
            // A cancelled sleep ends the loop above.
            do { try await ContinuousClock().sleep(until: min(.now + pause, deadline)) } catch { return .unknown }
            pause = min(pause * 2, .seconds(1))
        }
        return .unknown
    }

    /// Nil while the transaction is in progress.
    package static func status(
        of commit: UnknownCommit,
        on connection: PostgresConnection,
        until deadline: ContinuousClock.Instant?
    ) async throws(PostgresError) -> CommitResolution? {
        let id = String(commit.transactionID)
        let rows = try await connection.run(
            "select pg_catalog.pg_xact_status(\(id)::text::pg_catalog.xid8) as status",
            until: deadline
        )
        switch try rows.only().decode("status", as: String?.self) {
        case "committed": return .committed
        case "aborted": return .aborted
        case "in progress": return nil
        default: return .unknown
        }
    }
}

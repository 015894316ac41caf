/// Looks after a statement that is waited for: from a second on, whoever wants to know is told who holds it up.
///
/// It asks on a connection of its own, since the statement's is busy waiting.
final class WaitWatch: Sendable {
    private static let patience = Duration.seconds(1)
    /// Where nobody holds the statement up, it may just take its time.
    private static let silence = Duration.seconds(5)

    private let task: Task<Void, Never>

    /// When a call has waited long enough to be looked after.
    static func moment(after start: ContinuousClock.Instant) -> ContinuousClock.Instant { start + patience }

    init(_ target: ConnectionTarget, process: Int32?, tell: @escaping @Sendable (WaitReport) -> Void) {
        task = Task {
            let start = ContinuousClock.now
            var told: WaitReport?
            while !Task.isCancelled {
                let found = await Self.look(target, process)
                let isSilent = ContinuousClock.now - start + Self.patience >= Self.silence
                if let report = found ?? (isSilent ? WaitReport(place: target.description, holders: []) : nil),
                    report != told, told == nil || !report.holders.isEmpty, !Task.isCancelled
                {
                    tell(report)
                    told = report
                }
                // A cancelled sleep ends the loop.
                do { try await ContinuousClock().sleep(for: Self.patience) } catch { return }
            }
        }
    }

    deinit {
        task.cancel()
    }

    private static func look(_ target: ConnectionTarget, _ process: Int32?) async -> WaitReport? {
        do throws(PostgresError) {
            let deadline = ContinuousClock.now + silence
            let connection = try await PostgresConnection.connect(to: target, until: deadline)
            let rows = try await connection.run(WaitReport.query(process: process), until: deadline)
            await connection.close()
            let holders = try rows.map { row throws(PostgresError) in
                WaitReport.Holder(process: try row.decode("pid"), application: try row.decode("application"))
            }
            return holders.isEmpty ? nil : WaitReport(place: target.description, holders: holders)
        } catch {
            // Who cannot look has nothing to tell; the statement's own deadline ends the wait.
            return nil
        }
    }
}

/// What a statement waits for that has gone unanswered for a while.
package struct WaitReport: Sendable, Hashable, CustomStringConvertible {
    /// A session that holds what the statement needs.
    package struct Holder: Sendable, Hashable {
        /// Zero for a prepared transaction, which has no process.
        package let process: Int32
        package let application: String
    }

    package let place: String
    /// Empty where nobody holds it up but the server itself.
    package let holders: [Holder]

    package var description: String {
        guard !holders.isEmpty else { return "still waiting for an answer of \(place)" }
        let names = holders.map { holder in
            if holder.process == 0 { return "a prepared transaction" }
            return "process \(holder.process)" + (holder.application.isEmpty ? "" : " (\(holder.application))")
        }
        return "waiting for \(names.joined(separator: " and ")) to release a lock in \(place)"
    }

    /// Those who hold up a process, or, behind a pooler where processes are not known, anybody of our name.
    static func query(process: Int32?) -> SQLQuery {
        let waiting: SQLQuery
        if let process {
            waiting = "pg_catalog.unnest(pg_catalog.pg_blocking_pids(\(process))) as b (pid)"
        } else {
            waiting = """
                pg_catalog.pg_stat_activity w
                cross join lateral pg_catalog.unnest(pg_catalog.pg_blocking_pids(w.pid)) as b (pid)
                """
        }
        let whose: SQLQuery =
            process == nil ? "where w.application_name = pg_catalog.current_setting('application_name')" : ""
        return """
            select distinct b.pid, coalesce(a.application_name, '') as application
            from \(fragment: waiting) left join pg_catalog.pg_stat_activity a on a.pid = b.pid
            \(fragment: whose) order by b.pid limit 3
            """
    }
}

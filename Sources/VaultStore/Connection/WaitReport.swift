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

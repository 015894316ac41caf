/// What holds for the statements of one transaction: how long each may take, how long nothing may be said in between, and
/// how they are planned.
///
/// All of it ends with the transaction: behind a pooler the session is somebody else's a moment later.
struct TransactionLimits {
    /// The longest silence inside a transaction: after it the server ends the session and frees its locks.
    private static let silence: StaticString = "10s"

    let deadline: ContinuousClock.Instant?
    let plans: PlanChoice?

    /// For statements that travel together and leave nothing open.
    var together: [SQLQuery] { Self.query(statements + planning) }

    /// For a transaction that stays open between its statements; one that writes is asked for its number as well.
    func open(isWriting: Bool) -> [SQLQuery] {
        let number: [SQLQuery] = isWriting ? ["pg_catalog.pg_current_xact_id()::text as transaction_id"] : []
        // A limit that is stricter already stays.
        let silence: SQLQuery = """
            case when pg_catalog.current_setting('idle_in_transaction_session_timeout')::pg_catalog.interval
                not between '1 microsecond' and '\(unescaped: Self.silence)'
                then pg_catalog.set_config(
                    'idle_in_transaction_session_timeout', '\(unescaped: Self.silence)', true
                )
            end
            """
        return Self.query(number + statements + planning + [silence])
    }

    private var statements: [SQLQuery] {
        guard let deadline else { return [] }
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: deadline).components
        // Zero would mean none; the greatest the server takes is Int32's.
        let milliseconds =
            seconds.multipliedReportingOverflow(by: 1_000).partialValue + attoseconds / 1_000_000_000_000_000
        let limit = min(max(milliseconds, 1), 2_147_483_647)
        return ["pg_catalog.set_config('statement_timeout', \(String(limit)), true)"]
    }

    private var planning: [SQLQuery] {
        guard let plans else { return [] }
        return plans.settings
    }

    private static func query(_ columns: [SQLQuery]) -> [SQLQuery] {
        columns.isEmpty ? [] : ["select \(fragment: .joined(columns, by: ", "))"]
    }
}

/// Each statement is planned once on a connection, by its indexes, and what is long is packed quickly rather than well.
struct PlanChoice {
    /// Whether the server can pack that way.
    let hasQuickPacking: Bool

    static let query: SQLQuery = """
        select exists (
            select 1 from pg_catalog.pg_settings s
            where s.name = 'default_toast_compression' and 'lz4' = any (s.enumvals)
        ) as has_quick_packing
        """

    // A plan made while a table was empty reads all of it, and is kept when it has grown.
    var settings: [SQLQuery] {
        let quick: [SQLQuery] = ["pg_catalog.set_config('default_toast_compression', 'lz4', true)"]
        return [
            "pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)",
            "pg_catalog.set_config('enable_seqscan', 'off', true)",
        ] + (hasQuickPacking ? quick : [])
    }
}

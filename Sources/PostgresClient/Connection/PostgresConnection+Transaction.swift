extension PostgresConnection {
    /// How long a clean-up or a COMMIT may go on past the caller's deadline.
    private static var finishingGrace: Duration { .seconds(2) }
    /// How long an answer to COMMIT is waited for before its effect is looked for instead.
    private static var commitLimit: Duration { .seconds(10) }

    /// Runs the body in one transaction and commits it; any error rolls it back.
    ///
    /// A connection that breaks while COMMIT is under way gives `unknownCommit`, never a plain failure. What writes goes
    /// through `ConnectionPool.write`, which looks for the effect then.
    package func transaction<Value: Sendable>(
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

/// A transaction while it is open: what its body may do.
package struct PostgresTransaction: Sendable {
    let connection: PostgresConnection
    let number: UInt64

    /// Runs one statement inside the transaction.
    package func run(_ query: SQLQuery) async throws(PostgresError) -> Rows {
        try await pipeline([query]).first ?? Rows()
    }

    /// Runs statements inside the transaction in one round trip.
    package func pipeline(_ queries: [SQLQuery]) async throws(PostgresError) -> [Rows] {
        try await connection.pipeline(queries, in: number)
    }

    /// Ends it without keeping anything; the body's value is returned all the same.
    package func rollBack() async throws(PostgresError) {
        try await connection.rollBack(number)
    }
}

/// What a connection knows of the transaction it is in.
struct OpenTransaction {
    let number: UInt64
    let mode: TransactionMode
    let deadline: ContinuousClock.Instant?
    /// BEGIN travels with the first statements, in the same round trip.
    var hasBegun = false
    /// The server's name of it; known before COMMIT is sent.
    var id: UInt64?
    var isRolledBack = false
}

/// Under whose rights a transaction runs.
package struct ActingIdentity: Sendable, Hashable {
    /// What has to run first in the transaction.
    package let statements: [SQLQuery]
    /// What gives the transaction the connection's own role back.
    package let ending: [SQLQuery]

    package init(statements: [SQLQuery], ending: [SQLQuery]) {
        self.statements = statements
        self.ending = ending
    }

    /// Those of the role that connected.
    package static let connection = ActingIdentity(statements: [], ending: [])
}

/// What a transaction may do and see.
package enum TransactionMode: Sendable {
    case readWrite
    case serializable
    case readOnly
    /// Read only, with every statement seeing the same moment.
    case snapshot

    var begin: SQLQuery {
        switch self {
        // Writing is not asked for by name: that would override whoever has set the server or database to reading.
        case .readWrite: "begin isolation level read committed"
        case .serializable: "begin isolation level serializable"
        case .readOnly: "begin isolation level read committed read only"
        case .snapshot: "begin isolation level repeatable read read only"
        }
    }

    package var isWriting: Bool {
        switch self {
        case .readWrite, .serializable: true
        case .readOnly, .snapshot: false
        }
    }
}

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
        // Where a role or a database has it off, the server refuses whatever a policy would leave rows out of.
        return [
            "pg_catalog.set_config('statement_timeout', \(String(limit)), true)",
            "pg_catalog.set_config('row_security', 'on', true)",
        ]
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

    // A plan made while a table was empty reads all of it, and is kept until the next renewal.
    var settings: [SQLQuery] {
        let quick: [SQLQuery] = ["pg_catalog.set_config('default_toast_compression', 'lz4', true)"]
        return [
            "pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)",
            "pg_catalog.set_config('enable_seqscan', 'off', true)",
        ] + (hasQuickPacking ? quick : [])
    }
}

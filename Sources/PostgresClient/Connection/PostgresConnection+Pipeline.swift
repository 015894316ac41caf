import FileInput

extension PostgresConnection {
    /// Runs one statement.
    package func run(
        _ query: SQLQuery,
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(PostgresError) -> Rows {
        let rows = try await pipeline([query], until: deadline)
        return rows.first ?? Rows()
    }

    /// Runs statements one after another in one round trip and one transaction; the first failure ends them all.
    ///
    /// The deadline ends the statement that runs then; nil leaves it to the server's own limits.
    package func pipeline(
        _ queries: [SQLQuery],
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(PostgresError) -> [Rows] {
        guard openTransaction == nil else {
            throw PostgresError(.misuse, at: target.description, detail: "a transaction is open on this connection")
        }
        return try await interruptibly { call throws(PostgresError) in
            try exchange(
                queries,
                after: limits(until: deadline).together + identity.statements,
                CallLimit(call: call, deadline: deadline)
            )
        }
    }

    func limits(until deadline: ContinuousClock.Instant?) -> TransactionLimits {
        TransactionLimits(deadline: deadline, plans: plans)
    }

    /// One statement's part of a pipeline, in the order of the results.
    private enum Step {
        case housekeeping
        /// Whether statements may be prepared under names.
        case asking
        case running(number: Int?)
        case preparing(StatementCache.Key, name: String)
        case runningNamed(StatementCache.Key, name: String, number: Int?)
    }

    /// Sends statements, flushes once, and reads until the sync.
    ///
    /// The preparations are statements before them whose rows nobody wants.
    func exchange(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery] = [],
        _ limit: CallLimit
    ) throws(PostgresError) -> [Rows] {
        let wire = try openWire()
        try check(queries)
        if limit.isCancellable, bell.isInterrupted || Task.isCancelled {
            throw PostgresError(.cancelled, at: target.description)
        }
        if limit.isCancellable, let deadline = limit.deadline, ContinuousClock.now >= deadline {
            throw PostgresError(.statementTimeout, at: target.description, detail: "the time was over before it began")
        }
        var steps: [Step] = []
        guard wire.enterPipeline(), queue(preparations, queries, on: wire, renews: limit.isCancellable, steps: &steps),
            wire.sendSync()
        else {
            throw hangUp(
                PostgresError(.connectionLost, at: target.description, serverMessage: Secret(wire.errorMessage))
            )
        }
        let (results, cause) = try answers(wire, until: .sync, limit)
        guard wire.leavePipeline(), results.count == steps.count else {
            throw hangUp(PostgresError(.protocolViolation, at: target.description))
        }
        health.setIdle(wire.isIdle)
        return try take(results, steps: steps, count: queries.count, cause: cause)
    }

    private func check(_ queries: [SQLQuery]) throws(PostgresError) {
        for query in queries {
            guard query.binds.count <= 65_535 else {
                throw PostgresError(.misuse, at: target.description, detail: "a statement has more than 65,535 values")
            }
            for (place, bind) in query.binds.enumerated() {
                switch bind.flaw {
                case nil: continue
                case .zeroInText: throw PostgresError(.invalidText, at: "value $\(place + 1)")
                case .outOfRange: throw PostgresError(.invalidValue, at: "value $\(place + 1)")
                }
            }
        }
    }

    private func queue(
        _ preparations: [SQLQuery],
        _ queries: [SQLQuery],
        on wire: WireConnection,
        renews: Bool,
        steps: inout [Step]
    ) -> Bool {
        for name in statements.takeDismissed() {
            guard wire.send("deallocate \(name)", binds: [], answersText: false) else { return false }
            steps.append(.housekeeping)
        }
        for query in preparations {
            guard queue(query, number: nil, on: wire, steps: &steps) else { return false }
        }
        for (number, query) in queries.enumerated() {
            guard queue(query, number: number, on: wire, steps: &steps) else { return false }
        }
        // As late as the question below, for the same reason; and never behind a COMMIT, whose success its failure would hide.
        if renews, plans != nil, renewal.isDue() {
            steps.append(.housekeeping)
            guard wire.send(PlanRenewal.statement.text, binds: [], answersText: false) else { return false }
        }
        guard naming == .undecided else { return true }
        // Last, for nothing may come before a BEGIN that chooses its moment.
        steps.append(.asking)
        return wire.send(StatementNaming.question.text, binds: [], answersText: false)
    }

    private func queue(_ query: SQLQuery, number: Int?, on wire: WireConnection, steps: inout [Step]) -> Bool {
        guard naming == .named else {
            steps.append(.running(number: number))
            return wire.send(query.text, binds: query.binds, answersText: false)
        }
        let key = StatementCache.Key(text: query.text, types: query.binds.map(\.type))
        let name: String
        switch statements.plan(key) {
        case .known(let known): name = known
        case .new(let new):
            name = new
            guard wire.sendPrepare(name, text: query.text, types: key.types) else { return false }
            steps.append(.preparing(key, name: name))
        }
        steps.append(.runningNamed(key, name: name, number: number))
        return wire.sendPrepared(name, binds: query.binds)
    }

    /// Takes the rows that were asked for, keeps the cache true, and throws the first failure.
    private func take(
        _ results: [WireResult],
        steps: [Step],
        count: Int,
        cause: PostgresError.Code?
    ) throws(PostgresError) -> [Rows] {
        var rows: [Rows] = []
        rows.reserveCapacity(count)
        var failure: PostgresError?
        for (result, step) in zip(results, steps) {
            switch step {
            case .preparing(let key, let name) where result.kind != .done:
                statements.forget(key, name: name, isPrepared: false)
                // Another's statement of that name: the session is not ours alone.
                if result.diagnosis.sqlState == "42P05" { naming = .unnamed }
            case .runningNamed(let key, let name, _) where result.diagnosis.sqlState == "0A000":
                // The tables have changed, and a prepared statement may not return other columns than before.
                statements.forget(key, name: name, isPrepared: true)
            case .runningNamed where result.diagnosis.sqlState == "26000":
                // Something has emptied the session, or it is another one; whoever tries again needs no names.
                statements.forgetAll()
                naming = .unnamed
            case .asking where result.kind == .done:
                let backend = try result.rows.only().decode("backend", as: Int32.self)
                naming = backend == backendID ? .named : .unnamed
            case .runningNamed(_, _, .some) where result.kind == .done,
                .running(.some) where result.kind == .done:
                rows.append(result.rows)
            default: break
            }
            if failure == nil, result.kind == .failed { failure = error(of: result.diagnosis, cause: cause) }
        }
        if let failure { throw failure }
        return rows
    }

    /// A cancelled statement was out of time or unwanted: only we know which.
    func error(of diagnosis: WireDiagnosis, cause: PostgresError.Code?) -> PostgresError {
        let error = PostgresError(diagnosis, at: target.description)
        guard let cause, error.sqlState == "57014" else { return error }
        return PostgresError(cause, sqlState: error.sqlState, at: error.place, serverMessage: error.serverMessage)
    }
}

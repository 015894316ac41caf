import FileInput

extension PostgresConnection {
    /// Whether every statement reaches one session of the server.
    ///
    /// A pooler that lends a session for one transaction brings no notification to whoever asked for it.
    package func hasSessionOfItsOwn(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> Bool {
        if naming == .undecided { _ = try await run("select 1 as one", until: deadline) }
        return naming == .named
    }

    /// Waits until something is notified on a channel that was asked for by LISTEN; false where nothing was until then.
    ///
    /// Everything that has come is taken together, and no transaction is open meanwhile.
    package func waitForNotification(until limit: ContinuousClock.Instant) async throws(PostgresError) -> Bool {
        guard openTransaction == nil else {
            throw PostgresError(.misuse, at: target.description, detail: "a transaction is open on this connection")
        }
        return try await interruptibly { _ throws(PostgresError) in
            let wire = try openWire()
            while true {
                // What came beside the answer to a statement is there already.
                if wire.takeNotifications() > 0 { return true }
                if bell.isInterrupted { throw PostgresError(.cancelled, at: target.description) }
                if ContinuousClock.now >= limit { return false }
                guard bell.wait(socket: wire.socket, for: .reading, until: limit) else { continue }
                guard wire.consume(), !wire.isFailed else {
                    throw hangUp(
                        PostgresError(
                            .connectionLost,
                            at: target.description,
                            serverMessage: Secret(wire.errorMessage),
                            detail: "the server closed the connection while it was listened to"
                        )
                    )
                }
            }
        }
    }
}

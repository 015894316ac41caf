package import KnotDomain

/// `learn`: reads a vault's feedback and keeps the weights it teaches.
package struct LearnStore: Sendable {
    private enum Attempt: Sendable {
        /// Nil where there is no such vault.
        case done(LearnOutcome?)
        /// Somebody else has written in between.
        case overtaken
    }

    private static let attempts = 5
    private static let page = 500

    private let pool: ConnectionPool
    private let learner: Learner

    package init(_ pool: ConnectionPool, learner: Learner = Learner()) {
        self.pool = pool
        self.learner = learner
    }

    /// Learns from one vault; nil when there is none with this id.
    package func learn(
        _ vault: PostgresUUID,
        asOf: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> LearnOutcome? {
        for _ in 1...Self.attempts {
            if case .done(let outcome) = try await attempt(vault, asOf: asOf, until: deadline) { return outcome }
        }
        throw PostgresError(.serializationFailure, at: "learned_weights")
    }

    /// Learns from every vault, one after another, in the order of their ids; returns how many there were.
    ///
    /// Its memory does not grow with the number of vaults.
    package func learnAll(
        asOf: Instant,
        within limit: Duration = .seconds(30),
        progress: (LearnOutcome) async -> Void = { _ in }
    ) async throws(PostgresError) -> Int {
        var last: PostgresUUID?
        var count = 0
        while true {
            let after = last
            let ids = try await pool.withConnection(until: .now + limit) { connection throws(PostgresError) in
                try await connection.run(
                    """
                    select v.id from public.partner_vaults v
                    where \(after) is null or v.id > \(after) order by v.id limit \(Self.page)
                    """,
                    until: .now + limit
                ).map { row throws(PostgresError) in try row.decode("id", as: PostgresUUID.self) }
            }
            for id in ids {
                guard let outcome = try await learn(id, asOf: asOf, until: .now + limit) else { continue }
                count += 1
                await progress(outcome)
            }
            guard let end = ids.last, ids.count == Self.page else { return count }
            last = end
        }
    }

    /// One reading and at most one writing.
    private func attempt(
        _ vault: PostgresUUID,
        asOf: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Attempt {
        let read = try await pool.read(
            [
                "select v.id from public.partner_vaults v where v.id = \(vault)",
                """
                select w.revision, w.weights, w.signal_count from public.learned_weights w
                where w.vault_id = \(vault)
                """,
                FeedbackReader.query(vault),
            ],
            until: deadline
        )
        guard !read[0].isEmpty else { return .done(nil) }
        let weights = learner.weights(from: try FeedbackReader.signals(read[2]), asOf: asOf)
        func outcome(_ change: LearnOutcome.Change) -> LearnOutcome {
            LearnOutcome(vault: vault, change: change, weights: weights)
        }
        let writing: SQLQuery
        if let stored = read[1].first {
            if try weights.isSame(as: stored) { return .done(outcome(.unchanged)) }
            writing = weights.update(of: vault, from: try stored.decode("revision"))
        } else {
            if weights.signalCount == 0 { return .done(outcome(.silent)) }
            writing = weights.insertion(for: vault)
        }
        let learned = Attempt.done(outcome(.learned))
        return try await pool.write(until: deadline) { transaction throws(PostgresError) in
            guard let row = try await transaction.run(writing).first else { return .unwritten(.overtaken) }
            let revision = try row.decode("revision", as: Int64.self)
            return .written(learned, CommitProof(of: learned, weights.look(in: vault, at: revision)))
        }
    }
}

import JSONDocument
package import KnotDomain
package import PostgresClient
package import VaultStore

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
    ) async throws(VaultStoreError) -> LearnOutcome? {
        for _ in 1...Self.attempts {
            let ending: Result<Attempt, VaultStoreError>
            do throws(PostgresError) {
                ending = try await attempt(vault, asOf: asOf, until: deadline)
            } catch {
                guard error.code == .unexpectedValue else { throw .database(error) }
                let problem = JSONProblem(path: "learned_weights", message: error.detail ?? error.what)
                throw .unusable(VaultID(vault.description), [problem])
            }
            if case .done(let outcome) = try ending.get() { return outcome }
        }
        throw .database(PostgresError(.serializationFailure, at: "learned_weights"))
    }

    /// Learns from every vault, one after another, in the order of their ids; returns how many there were.
    ///
    /// A vault that cannot be learned from is told of and stops no other. Its memory does not grow with their number.
    package func learnAll(
        asOf: Instant,
        within limit: Duration = .seconds(30),
        progress: (Result<LearnOutcome, VaultStoreError>, PostgresUUID) async -> Void = { _, _ in }
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
                do throws(VaultStoreError) {
                    guard let outcome = try await learn(id, asOf: asOf, until: .now + limit) else { continue }
                    await progress(.success(outcome), id)
                } catch {
                    if case .database(let cause) = error.code, !cause.isOfOneRow { throw cause }
                    await progress(.failure(error), id)
                }
                count += 1
            }
            guard let end = ids.last, ids.count == Self.page else { return count }
            last = end
        }
    }

    /// What the vault's import said was learned before; nil where it said nothing, or nothing that can be read.
    private static func imported(_ stored: Row) throws(PostgresError) -> LearnedTaste? {
        try stored.decode("imported", as: JSONValue?.self).flatMap { LearnedTaste(reading: JSONReader($0)) }
    }

    /// One reading and at most one writing.
    private func attempt(
        _ vault: PostgresUUID,
        asOf: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Result<Attempt, VaultStoreError> {
        let read = try await pool.read(
            [
                "select v.id from public.partner_vaults v where v.id = \(vault)",
                """
                select w.revision, w.weights, w.signal_count, w.as_of, w.imported from public.learned_weights w
                where w.vault_id = \(vault)
                """,
                FeedbackReader.query(vault),
            ],
            until: deadline
        )
        guard !read[0].isEmpty else { return .success(.done(nil)) }
        let (all, problems) = FeedbackReader.signals(read[2])
        guard problems.isEmpty else { return .failure(.unusable(VaultID(vault.description), problems)) }
        let imported = try read[1].first.flatMap(Self.imported)
        // The feedback that an import's weights rest on came along as its history, and teaches nothing once more.
        let signals = all.filter { signal in imported.map { signal.at > $0.asOf } ?? true }
        var weights = learner.weights(from: signals, asOf: asOf)
        if let stored = read[1].first {
            weights.imported = imported
            // The same signals teach the same at any moment: what is stored decays where it is read.
            let before = try stored.decode("as_of", as: Instant.self)
            if learner.known(signals, asOf: before) == learner.known(signals, asOf: asOf) {
                var again = learner.weights(from: signals, asOf: before)
                again.imported = weights.imported
                if try again.isSame(as: stored) { weights = again }
            }
        }
        let learned = weights
        func outcome(_ change: LearnOutcome.Change) -> LearnOutcome {
            LearnOutcome(vault: vault, change: change, weights: learned)
        }
        let writing: SQLQuery
        if let stored = read[1].first {
            if try learned.isSame(as: stored) { return .success(.done(outcome(.unchanged))) }
            // A look back is no reason to forget what was learned since.
            if try stored.decode("as_of", as: Instant.self) > asOf { return .success(.done(outcome(.kept))) }
            writing = learned.update(of: vault, from: try stored.decode("revision"))
        } else {
            if learned.signalCount == 0 { return .success(.done(outcome(.silent))) }
            writing = learned.insertion(for: vault)
        }
        let ending = Result<Attempt, VaultStoreError>.success(.done(outcome(.learned)))
        return try await pool.write(until: deadline) { transaction throws(PostgresError) in
            guard let row = try await transaction.run(writing).first else { return .unwritten(.success(.overtaken)) }
            let revision = try row.decode("revision", as: Int64.self)
            return .written(ending, CommitProof(of: ending, learned.look(in: vault, at: revision)))
        }
    }
}

extension PostgresError {
    /// True for what one row or one moment is to blame for, so that the next vault may well do.
    fileprivate var isOfOneRow: Bool {
        switch code {
        case .unexpectedValue, .checkViolation, .notNullViolation, .foreignKeyViolation, .invalidValue, .invalidText,
            .serializationFailure, .deadlock, .lockTimeout:
            true
        default: false
        }
    }
}

/// Reads what people did with what they were shown.
enum FeedbackReader {
    /// All feedback of one vault by the person whose it is, oldest first.
    static func query(_ vault: PostgresUUID) -> SQLQuery {
        """
        select f.id, r.id as item, r.run_id, f.action, f.rating, f.feedback_text, f.created_at, r.recommendation_type, r.evidence
        from public.recommendation_feedback f
        join public.recommendations r on r.id = f.recommendation_id
        join public.partner_vaults v on v.id = r.vault_id and v.user_id = f.user_id
        where r.vault_id = \(vault)
        order by f.created_at, f.id
        """
    }

    /// The signals, and what is wrong with each row that is none.
    static func signals(_ rows: Rows) -> (signals: [FeedbackSignal], problems: [JSONProblem]) {
        var signals: [FeedbackSignal] = []
        var problems: [JSONProblem] = []
        for index in 0..<rows.count {
            do throws(PostgresError) {
                if let signal = try signal(rows[index]) { signals.append(signal) }
            } catch {
                problems.append(JSONProblem(unreadable: rows[index], of: "recommendation_feedback", error))
            }
        }
        return (signals, problems)
    }

    /// Nil for an action this program does not know: a newer app may have added it.
    private static func signal(_ row: Row) throws(PostgresError) -> FeedbackSignal? {
        guard let action = Feedback.Action(rawValue: try row.decode("action")),
            let type = CandidateType(rawValue: try row.decode("recommendation_type"))
        else { return nil }
        let evidence = try row.decode("evidence", as: JSONValue?.self)
        return FeedbackSignal(
            id: try row.decode("id"),
            item: try row.decode("item"),
            run: try row.decode("run_id"),
            feedback: Feedback(
                action: action,
                rating: try row.decode("rating"),
                reason: try row.decode("feedback_text")
            ),
            at: try row.decode("created_at"),
            type: type,
            grounds: (evidence?.array ?? []).compactMap(ground)
        )
    }

    private static func ground(_ value: JSONValue) -> FeedbackSignal.Ground? {
        guard let kind = value["kind"]?.string, let ref = value["ref"]?.string, let weight = value["weight"]?.double
        else { return nil }
        return FeedbackSignal.Ground(kind: kind, ref: ref, weight: weight)
    }
}

/// What learning from one vault came to.
package struct LearnOutcome: Sendable, Hashable {
    package enum Change: String, Sendable {
        /// Weights are stored that were not there, or were others.
        case learned
        /// What is stored says the same already.
        case unchanged
        /// Newer weights are stored, and stay.
        case kept
        /// There is no feedback, and nothing was ever learned.
        case silent
    }

    package let vault: PostgresUUID
    package let change: Change
    package let weights: LearnedWeights
}

import JSONDocument
import KnotDomain

/// Reads what people did with what they were shown.
package struct FeedbackReader: Sendable {
    package init() {}

    /// All feedback of one vault by the person whose it is, oldest first.
    static func query(_ vault: PostgresUUID) -> SQLQuery {
        """
        select f.id, r.run_id, f.action, f.rating, f.feedback_text, f.created_at, r.recommendation_type, r.evidence
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

    /// All feedback of one vault by the person whose it is, oldest first.
    package func signals(
        of vault: PostgresUUID,
        on connection: PostgresConnection,
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(PostgresError) -> [FeedbackSignal] {
        Self.signals(try await connection.run(Self.query(vault), until: deadline)).signals
    }
}

import Digest
package import KnotDomain
package import PostgresClient
package import VaultStore

/// What a person says of a choice they were shown, in the command's own words.
package enum ChoiceFeedback: String, CaseIterable, Sendable {
    case liked
    case disliked
    case given
    case returned
    case alreadyHas = "already-has"

    /// As the product keeps it: what `learn` reads, and what the next run heeds.
    package var feedback: Feedback {
        switch self {
        case .liked: Feedback(action: .rated, rating: 5, reason: nil)
        case .disliked: Feedback(action: .rated, rating: 1, reason: nil)
        case .given: Feedback(action: .purchased, rating: nil, reason: nil)
        // Bought and brought back: turned down for itself.
        case .returned: Feedback(action: .rated, rating: 1, reason: "returned")
        case .alreadyHas: Feedback(action: .refreshed, rating: nil, reason: "already_have_similar")
        }
    }
}

/// `feedback`: keeps what a person says of a stored choice, once for each request.
package struct FeedbackStore: Sendable {
    /// What is kept now.
    package struct Receipt: Sendable, Hashable {
        package let id: PostgresUUID
        package let vault: PostgresUUID
        package let recommendation: PostgresUUID
        package let title: String
        /// False when the same was said before.
        package let isNew: Bool
    }

    private let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// Keeps the feedback on one choice of a run, as its vault's person.
    ///
    /// Without a request the word itself is one: saying it again changes nothing, unless another word came between, since
    /// the latest word counts.
    package func give(
        _ word: ChoiceFeedback,
        run: PostgresUUID,
        position: Int,
        request: String? = nil,
        at moment: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> Receipt {
        try await pool.change(until: deadline) { transaction throws(PostgresError) in
            let found = try await transaction.pipeline([Self.choice(run, position)])
            guard let row = found.last?.first else {
                return .refused(VaultStoreError(.notThere, "there is no such stored choice"))
            }
            let recommendation: PostgresUUID = try row.decode("id")
            let vault: PostgresUUID = try row.decode("vault_id")
            let feedback = word.feedback
            let user: PostgresUUID = try row.decode("user_id")
            let latest = try await transaction.pipeline([Self.latest(on: recommendation, by: user)])[0].first
            let name: PostgresUUID
            if let request {
                name = PostgresUUID(of: "feedback:request:\(vault):\(request)")
            } else if let latest, try Self.says(latest, feedback) {
                name = try latest.decode("id")
            } else {
                let before = try latest?.decode("id", as: PostgresUUID.self)
                let place = before.map { ":after:\($0)" } ?? ""
                name = PostgresUUID(of: "feedback:word:\(recommendation):\(word.rawValue)\(place)")
            }
            let ids = [name, name.standIn(by: try row.decode("person"))]
            var isNew = false
            var kept: Row?
            // What another person has under an id is out of sight: it only shows by what it keeps out.
            for id in ids where kept == nil {
                let written = try await transaction.pipeline([
                    """
                    insert into public.recommendation_feedback
                        (id, recommendation_id, user_id, action, rating, feedback_text, created_at)
                    select
                        \(id), \(recommendation), \(user), \(feedback.action.rawValue),
                        \(feedback.rating.map { Int32($0) }), \(feedback.reason),
                        -- A clock that is behind must not put the latest word before an earlier one.
                        greatest(\(moment), (
                            select max(created_at) + interval '1 microsecond' from public.recommendation_feedback
                            where recommendation_id = \(recommendation) and user_id = \(user)
                        ))
                    where not exists (
                        select 1 from public.recommendation_feedback f where f.id = any (\(ids)) and f.user_id = \(user)
                    )
                    on conflict (id) do nothing
                    returning id
                    """,
                    """
                    select f.id, f.recommendation_id, f.action, f.rating, f.feedback_text
                    from public.recommendation_feedback f where f.id = any (\(ids)) and f.user_id = \(user)
                    """,
                ])
                isNew = !written[0].isEmpty
                kept = written[1].first
            }
            guard let kept, try kept.decode("recommendation_id", as: PostgresUUID.self) == recommendation,
                try Self.says(kept, feedback)
            else {
                return .refused(
                    VaultStoreError(.requestKnown, "this --request is known with other contents")
                )
            }
            let id: PostgresUUID = try kept.decode("id")
            let receipt = Receipt(
                id: id,
                vault: vault,
                recommendation: recommendation,
                title: try row.decode("title"),
                isNew: isNew
            )
            return .written(
                receipt,
                provenBy: "select 1 from public.recommendation_feedback f where f.id = \(id)"
            )
        }
    }

    /// Finds the last word of the vault's person on a choice.
    private static func latest(on recommendation: PostgresUUID, by user: PostgresUUID) -> SQLQuery {
        """
        select f.id, f.action, f.rating, f.feedback_text from public.recommendation_feedback f
        where f.recommendation_id = \(recommendation) and f.user_id = \(user) order by f.created_at desc, f.id desc limit 1
        """
    }

    private static func says(_ row: Row, _ feedback: Feedback) throws(PostgresError) -> Bool {
        let action: String = try row.decode("action")
        let rating: Int? = try row.decode("rating")
        let text: String? = try row.decode("feedback_text")
        return action == feedback.action.rawValue && rating == feedback.rating && text == feedback.reason
    }

    private static func choice(_ run: PostgresUUID, _ position: Int) -> SQLQuery {
        """
        select r.id, r.vault_id, r.title, v.user_id, \(fragment: PersonRow.key) as person
        from public.recommendations r join public.partner_vaults v on v.id = r.vault_id
        join public.users u on u.id = v.user_id
        where r.run_id = \(run) and r.position = \(position)
        """
    }
}

import Digest
package import KnotDomain
package import PostgresClient

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
    /// Without a request the word itself is one: saying it again changes nothing.
    package func give(
        _ word: ChoiceFeedback,
        run: PostgresUUID,
        position: Int,
        request: String? = nil,
        at moment: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> Receipt {
        try await pool.move(until: deadline) { transaction throws(PostgresError) in
            let found = try await transaction.pipeline([Self.choice(run, position)])
            guard let row = found.last?.first else {
                return .refused(MovingError(.notThere, "there is no such stored choice"))
            }
            let recommendation: PostgresUUID = try row.decode("id")
            let vault: PostgresUUID = try row.decode("vault_id")
            let name = request.map { "request:\(vault):\($0)" } ?? "word:\(recommendation):\(word.rawValue)"
            let id = Self.id("feedback:\(name)")
            let feedback = word.feedback
            let user: PostgresUUID = try row.decode("user_id")
            let written = try await transaction.pipeline([
                """
                insert into public.recommendation_feedback
                    (id, recommendation_id, user_id, action, rating, feedback_text, created_at)
                values (
                    \(id), \(recommendation), \(user), \(feedback.action.rawValue), \(feedback.rating.map { Int32($0) }),
                    \(feedback.reason), \(moment)
                )
                on conflict (id) do nothing
                returning id
                """,
                """
                select f.recommendation_id, f.action, f.rating, f.feedback_text
                from public.recommendation_feedback f where f.id = \(id)
                """,
            ])
            let kept = try written[1].only()
            let isOfTheSame = try kept.decode("recommendation_id", as: PostgresUUID.self) == recommendation
            let before = (
                try kept.decode("action", as: String.self), try kept.decode("rating", as: Int?.self),
                try kept.decode("feedback_text", as: String?.self)
            )
            let isSame = isOfTheSame && before == (feedback.action.rawValue, feedback.rating, feedback.reason)
            guard isSame else { return .refused(.requestKnown) }
            let receipt = Receipt(
                id: id,
                vault: vault,
                recommendation: recommendation,
                title: try row.decode("title"),
                isNew: !written[0].isEmpty
            )
            return .written(
                receipt,
                provenBy: "select 1 from public.recommendation_feedback f where f.id = \(id)"
            )
        }
    }

    private static func choice(_ run: PostgresUUID, _ position: Int) -> SQLQuery {
        """
        select r.id, r.vault_id, r.title, v.user_id
        from public.recommendations r join public.partner_vaults v on v.id = r.vault_id
        where r.run_id = \(run) and r.position = \(position)
        """
    }

    /// An id of version 8 that follows from a text.
    private static func id(_ text: String) -> PostgresUUID {
        let bytes = SHA256Digest(of: text).bytes
        let high = bytes[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & ~0xF000 | 0x8000
        let low = bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & ~(0b11 << 62) | 0b10 << 62
        return PostgresUUID(high: high, low: low)
    }
}

extension MovingError {
    static let requestKnown = MovingError(.requestKnown, "this --request is known with other contents")
}

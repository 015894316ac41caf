package import KnotDomain

/// What a caller's own request was answered with.
package struct AnsweredRequest: Sendable {
    package let set: StoredSet
    package let outcome: String
    /// What it asked for.
    package let tier: OccasionTier?
    /// As it was then: the milestone may be gone since.
    package let milestone: MilestoneID?

    /// Whether somebody who asks for this means the same.
    package func isFor(milestone asked: MilestoneID) -> Bool {
        guard let milestone else { return false }
        return milestone.text.lowercased() == asked.text.lowercased()
    }

    package func isFor(tier asked: OccasionTier) -> Bool { milestone == nil && tier == asked }
}

extension ChoiceStore {
    /// The set that a request on demand has in each of some vaults, whatever it asked for: the first, where there are more.
    package func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> [VaultID: AnsweredRequest] {
        let ids = vaults.compactMap { PostgresUUID($0.text) }
        do throws(PostgresError) {
            let rows = try await pool.read([Self.query(request, ids)], until: deadline)[0]
            var answers: [VaultID: AnsweredRequest] = [:]
            for index in 0..<rows.count {
                let row = rows[index]
                let hash = try row.decode("pipeline_hash", as: String.self)
                let vault = VaultID(try row.decode("vault_id", as: PostgresUUID.self).description)
                answers[vault] = AnsweredRequest(
                    set: StoredSet(
                        runID: try row.decode("id"),
                        vault: try row.decode("vault_id"),
                        result: try row.decode("result"),
                        isNew: false,
                        pipelineName: try row.decode("pipeline_name"),
                        pipelineHash: hash,
                        isOfAnotherPipeline: pipelineHash.map { $0 != hash } ?? false
                    ),
                    outcome: try row.decode("outcome"),
                    tier: OccasionTier(rawValue: try row.decode("occasion_type")),
                    milestone: try row.decode("milestone", as: String?.self).map { MilestoneID($0) }
                )
            }
            return answers
        } catch {
            throw ChoiceStoreError(error)
        }
    }

    private static func query(_ request: String, _ vaults: [PostgresUUID]) -> SQLQuery {
        """
        select distinct on (r.vault_id) r.vault_id, r.id, r.pipeline_name, r.pipeline_hash, r.outcome, r.occasion_type,
            r.result, coalesce(r.milestone_id::text, r.result ->> 'milestone_id') as milestone
        from public.recommendation_runs r
        where r.vault_id = any (\(vaults)) and r.kind = 'on_demand' and r.request = \(request)
        order by r.vault_id, r.created_at, r.id
        """
    }
}

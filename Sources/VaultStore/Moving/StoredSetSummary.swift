package import JSONDocument
package import KnotDomain

/// One stored set as a list shows it.
package struct StoredSetSummary: Sendable {
    package let runID: PostgresUUID
    package let createdAt: Instant
    /// The zone of the vault's person; nil where nobody has said it.
    package let timeZone: String?
    package let outcome: String
    package let kind: String
    package let request: String
    package let tier: String
    package let milestone: PostgresUUID?
    package let occurrence: CivilDate?
    package let pipelineName: String
    package let pipelineHash: String
    package let round: Int
    package let supersedes: PostgresUUID?
    package let supersededBy: PostgresUUID?
    /// Position, title, price and so on of each choice, as a list in order.
    package let choices: JSONValue

    init(_ row: Row) throws(PostgresError) {
        runID = try row.decode("id")
        createdAt = try row.decode("created_at")
        timeZone = try row.decode("timezone")
        outcome = try row.decode("outcome")
        kind = try row.decode("kind")
        request = try row.decode("request")
        tier = try row.decode("occasion_type")
        milestone = try row.decode("milestone_id")
        occurrence = try row.decode("occurrence_date")
        pipelineName = try row.decode("pipeline_name")
        pipelineHash = try row.decode("pipeline_hash")
        round = try row.decode("round")
        supersedes = try row.decode("supersedes")
        supersededBy = try row.decode("superseded_by")
        choices = try row.decode("choices")
    }

    package var json: JSONValue {
        [
            "run_id": .string(runID.description), "created_at": .string(createdAt.iso8601), "outcome": .string(outcome),
            "kind": .string(kind), "request": .string(request), "occasion": .string(tier),
            "milestone_id": JSONValue(milestone?.description), "occurrence": JSONValue(occurrence?.description),
            "pipeline": ["name": .string(pipelineName), "hash": .string(pipelineHash)], "round": .integer(round),
            "supersedes": JSONValue(supersedes?.description), "superseded_by": JSONValue(supersededBy?.description),
            "choices": choices,
        ]
    }
}

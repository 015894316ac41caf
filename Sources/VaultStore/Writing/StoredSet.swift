/// A set as the database holds it.
package struct StoredSet: Sendable, Hashable {
    package let runID: PostgresUUID
    package let vault: PostgresUUID
    /// The result as it was first printed, byte for byte.
    package let result: String
    /// False when the set was there before: the same request, or another process that was faster.
    package let isNew: Bool
    package let pipelineName: String
    package let pipelineHash: String
    /// True when the stored set was made by another pipeline than the one that asked.
    package let isOfAnotherPipeline: Bool
}

/// A stage whose types are forgotten, wrapped in the accounting of its role so that no stage can go around it.
package struct NodeBody: Sendable {
    /// What one call made.
    struct Product: Sendable {
        let value: any Sendable
        /// How many items came in and went out; nil where the role has no items there.
        var incoming: Int?
        var outgoing: Int?
    }

    let run: @Sendable (StageInputs, StageContext) async throws(StageFailure) -> Product
}

import VectorSearch

/// A text in the database that has no embedding of a model yet.
package struct PendingText: Sendable {
    /// What its row is told apart by, in the order of pages.
    let key: String
    /// As it is to be embedded; empty where there is nothing to embed.
    package let text: String
    /// Gives the row its embedding, if it still says what was embedded.
    let update: @Sendable (Embedding) -> SQLQuery
}

package import VectorSearch

/// Vectors of texts, and how much was read to make them.
package struct EncodedTexts: Sendable {
    /// One for each text, in order.
    package let embeddings: [Embedding]
    /// All texts' tokens, those at their starts and ends among them.
    package let tokenCount: Int
}

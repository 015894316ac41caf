/// What a model's own files say about it.
package struct ModelSettings: Sendable, Equatable {
    /// How a text's tokens become one vector.
    package enum Pooling: String, Sendable {
        case mean
        /// The vector of the first token.
        case first
    }

    /// Where the weights and the tokenizer are.
    package var folder: String
    /// What the model's authors call what it was made from; for people to read.
    package var label: String
    package var hidden: Int
    package var layers: Int
    package var heads: Int
    package var intermediate: Int
    package var vocabulary: Int
    package var positions: Int
    package var kinds: Int
    package var epsilon: Float
    package var pooling: Pooling
    /// The most tokens of a text, those at its start and end among them.
    package var mostTokens: Int
    package var prefixes: TextPrefixes
    package var tokenizer: TokenizerSettings

    /// Everything that changes vectors, as one line.
    var identity: String {
        [
            "\(hidden) \(layers) \(heads) \(intermediate) \(vocabulary) \(positions) \(epsilon) \(pooling) \(mostTokens)",
            "\(tokenizer)", prefixes.query, prefixes.passage,
        ].joined(separator: "\n")
    }
}

import VectorSearch

@testable import TextEncoding

/// A text with an embedding that follows from its letters alone.
struct HashedText {
    static let model = "hashed"

    let text: String
    let model: String
    /// How many numbers of the embedding are not zero.
    let numbers: Int

    init(_ text: String, model: String = HashedText.model, numbers: Int = 384) {
        self.text = text
        self.model = model
        self.numbers = numbers
    }

    var key: EmbeddingKey { EmbeddingKey(model: model, text: text) }

    var embedding: Embedding {
        var generator = SplitMix(state: Fingerprint.of(model + "/" + text))
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for index in 0..<numbers { values[index] = Float(Int64(bitPattern: generator.next() | 1)) / 1e18 }
        guard let embedding = Embedding(values, model: model) else { preconditionFailure("a hash is finite") }
        return embedding
    }

    var entry: (key: EmbeddingKey, embedding: Embedding) { (key, embedding) }
}

/// The same numbers for the same state, everywhere.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// A text's place in meaning: 768 numbers, their length, and the model that made them.
package struct Embedding: Sendable, Hashable {
    package static let dimension = 768

    package let values: [Float]
    /// The Euclidean length, worked out once.
    package let norm: Double
    package let model: String

    /// Nil when there are not exactly 768 finite values.
    package init?(_ values: [Float], model: String) {
        guard values.count == Self.dimension, values.allSatisfy(\.isFinite) else { return nil }
        self.values = values
        self.model = model
        norm = Kernels.best.norm(of: values.span)
    }
}

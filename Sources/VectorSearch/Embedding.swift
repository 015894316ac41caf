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

/// Why vectors could not be stored, compared or searched.
package enum VectorSearchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Vectors of different models have nothing to say to each other.
    case mixedModels(String, String)
    /// A vector has not as many numbers as those it is to stand or be compared with.
    case wrongDimension(expected: Int, found: Int)
    /// No row can have this many numbers.
    case impossibleDimension(Int)
    /// Numbers and ids, or rows and bits, that belong together are not equally many.
    case unequalCounts(String)
    /// Row numbers have 32 bits.
    case tooManyRows(Int)
    /// A threshold that is not a number.
    case impossibleThreshold
    case outOfMemory(bytes: Int)
    /// There are no kernels of that name, or this CPU cannot run them.
    case unavailableKernels(name: String, available: [String])
    case file(EmbeddingFileError)

    package var description: String {
        switch self {
        case .mixedModels(let first, let second):
            "Vectors of \(first) and of \(second) were to be compared; embed both with one model."
        case .wrongDimension(let expected, let found):
            "A vector of \(found) numbers was given where vectors have \(expected)."
        case .impossibleDimension(let dimension):
            "A vector cannot have \(dimension) numbers; it has from 1 to \(EmbeddingMatrix.mostDimensions)."
        case .unequalCounts(let what):
            "\(what)."
        case .tooManyRows(let count):
            "\(count) rows are more than the \(EmbeddingMatrix.mostRows) a matrix can number."
        case .impossibleThreshold:
            "The threshold of a search is not a number."
        case .outOfMemory(let bytes):
            "There are no \(bytes) bytes of memory left for vectors."
        case .unavailableKernels(let name, let available):
            "The kernels \"\(name)\" are not available; this CPU has \(available.joined(separator: ", ")) (or auto)."
        case .file(let error):
            error.description
        }
    }
}

/// Why similarities could not be worked out.
package enum VectorSearchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Vectors of different models have nothing to say to each other.
    case mixedModels(String, String)

    package var description: String {
        switch self {
        case .mixedModels(let first, let second):
            "Vectors of \(first) and of \(second) were to be compared; embed both with one model."
        }
    }
}

import Testing

/// A hint, and something that it rules out.
struct RefusedLine: CustomTestStringConvertible {
    let text: String
    let refused: String
    var testDescription: String { text }
}

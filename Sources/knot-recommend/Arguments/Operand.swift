/// What a verb takes besides flags.
struct Operand: Sendable, Equatable {
    let kind: ValueKind
    /// `CASSETTE`, as the synopsis shows it.
    let name: String
    let isRepeatable: Bool

    /// `[PIPELINE ...]`: none of them is needed, because a flag or a default can stand in.
    var synopsis: String { isRepeatable ? "[\(name) ...]" : "[\(name)]" }
}

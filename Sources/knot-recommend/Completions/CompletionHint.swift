import Recommendation

/// What a shell can offer in the place of a value.
enum CompletionHint: Sendable, Equatable {
    case nothing
    case words([String])
    case files
    case folders
    case filesOrWords([String])
    /// Ids, which the program knows.
    case vaults
    /// Names, which the program knows.
    case parameters

    init(_ flag: Flag, in verb: VerbName? = nil) {
        self = flag.name == .vault ? .vaults : CompletionHint(flag.kind(in: verb))
    }

    init(_ kind: ValueKind) {
        self =
            switch kind {
            case .parameter: .parameters
            case .none, .text, .integer, .unsigned, .duration, .instant: .nothing
            case .file: .files
            case .folder: .folders
            case .path(let words): .filesOrWords(words)
            case .pipeline: .filesOrWords(ShippedPipelines.names)
            case .choice(let words): .words(words)
            }
    }
}

/// What a shell can offer in the place of a value.
enum CompletionHint: Sendable, Equatable {
    case nothing
    case words([String])
    case files
    case folders
    case filesOrWords([String])

    init(_ kind: ValueKind) {
        self =
            switch kind {
            case .none, .text, .parameter, .integer, .unsigned, .duration, .instant: .nothing
            case .file: .files
            case .folder: .folders
            case .path(let words): .filesOrWords(words)
            case .pipeline: .filesOrWords(["choice-of-three", "classic"])
            case .choice(let words): .words(words)
            }
    }
}

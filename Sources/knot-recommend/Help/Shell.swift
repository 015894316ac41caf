/// The shells that completions are written for.
enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    var completionScript: [String] {
        switch self {
        case .bash: BashCompletions.script()
        case .zsh: ZshCompletions.script()
        case .fish: FishCompletions.script()
        }
    }
}

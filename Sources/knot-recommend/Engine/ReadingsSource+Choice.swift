import Evaluation

extension ReadingsSource {
    /// The same as the loader of fixtures names it.
    var choice: ReadingsChoice {
        switch self {
        case .automatic: .beside
        case .rules: .rules
        case .recorded(let path): .path(path)
        }
    }
}

/// Whose readings of the hints a run uses.
enum ReadingsSource: Sendable, Equatable {
    /// Those beside the fixture where there are any, else the rules.
    case automatic
    case rules
    /// A file, or a folder that is searched by the fixture's name.
    case recorded(String)

    init(_ text: String?) {
        self =
            switch text {
            case nil: .automatic
            case "rules": .rules
            case .some(let path): .recorded(path)
            }
    }
}

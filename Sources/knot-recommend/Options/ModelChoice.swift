/// Which embedding model a command uses.
enum ModelChoice: Sendable, Equatable {
    /// The one that set-up puts in its place, where there is one.
    case automatic
    /// Words only.
    case none
    case directory(String)

    /// What may be typed in place of a folder.
    static let words = ["none"]

    init(_ text: String?) {
        switch text {
        case nil: self = .automatic
        case "none": self = .none
        case let path?: self = .directory(path)
        }
    }
}

/// How a pipeline is named: one that ships with the program, or a file.
enum PipelineReference: Sendable, Equatable, CustomStringConvertible {
    case shipped(String)
    case file(String)

    /// A slash or `.json` at the end makes it a file, as does `-` for standard input.
    init(_ text: String) {
        self = text.contains("/") || text.hasSuffix(".json") || text == "-" ? .file(text) : .shipped(text)
    }

    /// What a run uses when nobody says otherwise.
    static let standard = PipelineReference.shipped("choice-of-three")

    var isFile: Bool {
        if case .file = self { true } else { false }
    }

    var description: String {
        switch self {
        case .shipped(let name): name
        case .file(let path): path
        }
    }
}

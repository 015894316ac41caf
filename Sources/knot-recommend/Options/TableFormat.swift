/// How figures and lists are written.
enum TableFormat: String, CaseIterable, Sendable {
    case text
    /// Comma-separated values, a row for each vault or choice.
    case csv

    init(_ arguments: TypedArguments) throws(CommandError) {
        guard let typed = arguments.text(.format) else {
            self = .text
            return
        }
        guard let format = TableFormat(rawValue: typed) else {
            let words = Self.allCases.map(\.rawValue).joined(separator: " or ")
            throw .usage(arguments.verb, "\(arguments.verb.rawValue) has no --format \(typed)", todo: "use \(words)")
        }
        guard format == .text || !arguments.has(.json) else {
            throw .usage(arguments.verb, "--json and --format csv exclude one another", todo: "give one of them")
        }
        self = format
    }
}

/// How figures and lists are written.
enum TableFormat: String, CaseIterable, Sendable {
    case text
    /// Comma-separated values, a row for each vault or choice.
    case csv

    init(_ arguments: TypedArguments) throws(CommandError) {
        let format = arguments.text(.format).flatMap(Self.init(rawValue:)) ?? .text
        guard format == .text || !arguments.has(.json) else {
            throw .usage(arguments.verb, "--json and --format csv exclude one another", todo: "give one of them")
        }
        self = format
    }
}

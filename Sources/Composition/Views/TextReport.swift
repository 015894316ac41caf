package import Arguments
package import Console
package import JSONDocument

/// An answer in both forms: as text for people and as one JSON value.
package struct TextReport: Sendable {
    package let json: JSONValue
    /// Lines that are safe to print, of at most 80 columns.
    package let lines: [String]
    package var exitCode = ExitCode.done
    /// The same for other programs that know tables only; nil where there is none.
    package var table: CSVTable?

    package init(json: JSONValue, lines: [String], exitCode: ExitCode = .done, table: CSVTable? = nil) {
        self.json = json
        self.lines = lines
        self.exitCode = exitCode
        self.table = table
    }
}

extension TextReport {
    /// Prints the form that was asked for and gives the report's own exit code.
    package func finish(_ context: CommandContext, as format: TableFormat = .text) throws(CommandError) -> ExitCode {
        if format == .csv, let table {
            ProgressLine.shared.erase()
            try context.output.write(table.text)
        } else if context.isJSON {
            try context.print(json)
        } else {
            try context.print(lines)
        }
        return exitCode
    }
}

/// How figures and lists are written.
package enum TableFormat: String, CaseIterable, Sendable {
    case text
    /// Comma-separated values, a row for each vault or choice.
    case csv

    package init(_ arguments: TypedArguments) throws(CommandError) {
        let format = arguments.text(.format).flatMap(Self.init(rawValue:)) ?? .text
        guard format == .text || !arguments.has(.json) else {
            throw .usage(arguments.verb, "--json and --format csv exclude one another", todo: "give one of them")
        }
        self = format
    }
}

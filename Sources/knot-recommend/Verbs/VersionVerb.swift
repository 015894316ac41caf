import JSONDocument

/// `version`: this program and the formats it writes.
enum VersionVerb {
    static let number = "0.1.0"

    static func perform(_ context: CommandContext) throws(CommandError) -> ExitCode {
        if context.isJSON {
            try context.print([
                "schema": "knot.version/1", "name": "knot-recommend", "version": .string(number),
                "formats": ["choice": "knot.choice/1", "error": "knot.error/1", "reading": "knot.reading/1"],
            ])
        } else {
            try context.print(["knot-recommend \(number)"])
        }
        return .done
    }
}

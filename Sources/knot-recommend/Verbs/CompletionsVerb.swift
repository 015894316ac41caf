import JSONDocument

/// `completions`: a script for a shell.
enum CompletionsVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        if let offer = arguments.text(.offer).flatMap(CompletionOffer.init) {
            guard let offers = context.engine.offers else { throw .notBuilt(.completions) }
            let words = try await offers((offer, SharedOptions(arguments, context.settings)), context)
            let json: JSONValue = [
                "schema": "knot.offers/1", "of": .string(offer.rawValue), "offers": JSONValue(words),
            ]
            return try TextReport(json: json, lines: words).finish(context)
        }
        guard let shell = arguments.operands.first.flatMap(Shell.init) else {
            throw .usage(
                .completions,
                "there is no shell to complete for",
                todo: "name one of \(Shell.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let script = shell.completionScript
        if context.isJSON {
            try context.print([
                "schema": "knot.completions/1", "shell": .string(shell.rawValue),
                "script": .string(script.joined(separator: "\n") + "\n"),
            ])
        } else {
            try context.print(script)
        }
        return .done
    }
}

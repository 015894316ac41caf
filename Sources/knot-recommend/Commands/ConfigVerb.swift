import JSONDocument

/// `config`: each setting and what set it, and what else decides a call.
enum ConfigVerb {
    /// One row, whatever it is about.
    private struct Row {
        let name: String
        let value: String?
        let layer: SettingLayer
        let source: String
        var defaultText: String?
    }

    static func perform(_ context: CommandContext) async throws(CommandError) -> ExitCode {
        let settings = context.settings.all.map { setting in
            Row(
                name: setting.name.rawValue,
                value: setting.value,
                layer: setting.layer,
                source: setting.source,
                defaultText: Flag.named(setting.name).defaultText
            )
        }
        let others = await Surroundings(context).items.map {
            Row(name: $0.name, value: $0.value, layer: $0.layer, source: $0.source)
        }
        if context.isJSON {
            try context.print([
                "schema": "knot.config/1", "file": JSONValue(context.settings.file),
                "settings": .array((settings + others).map(json)),
            ])
        } else {
            try context.print(lines(settings, context.terminal) + [""] + lines(others, context.terminal))
        }
        return .done
    }

    private static func json(_ row: Row) -> JSONValue {
        [
            "name": .string(row.name), "value": JSONValue(row.value), "layer": .string(row.layer.rawValue),
            "source": JSONValue(row.source.isEmpty ? nil : row.source), "default": JSONValue(row.defaultText),
        ]
    }

    /// Three columns as wide as they need to be: the name, the value, and where it comes from.
    private static func lines(_ rows: [Row], _ terminal: Terminal) -> [String] {
        let cells = rows.map { row -> (name: String, value: String, origin: String) in
            let value = row.value ?? row.defaultText ?? "(none)"
            let source = row.source.isEmpty ? "" : " \(TerminalText.safe(row.source, limit: 200))"
            return (row.name, TerminalText.safe(value, limit: 200), row.layer.rawValue + source)
        }
        let names = cells.map { DisplayWidth.of($0.name) }.max() ?? 0
        // A value that is much longer than the others goes its own way.
        let values = min(40, cells.map { DisplayWidth.of($0.value) }.max() ?? 0)
        return zip(cells, rows).map { cell, row in
            TextLayout.padded(cell.name, to: names) + "  " + TextLayout.padded(cell.value, to: values) + "  "
                + (row.layer == .unset ? terminal.dim(cell.origin) : cell.origin)
        }
    }
}

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

/// `help`: the verbs, or everything about one.
enum HelpVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) throws(CommandError) -> ExitCode {
        let verb = arguments.operands.first.flatMap(VerbName.init)
        if let form = [FlagName.markdown, .man].first(where: arguments.has), context.isJSON {
            throw .usage(.help, "\(form.typed) and --json exclude one another", todo: "give one of them")
        }
        if context.isJSON {
            let verbs = verb.map { [Verb.named($0)] } ?? Verb.all
            try context.print(["schema": "knot.help/1", "verbs": .array(verbs.map(HelpDocument.json))])
        } else if arguments.has(.markdown) {
            try context.print(MarkdownTables.lines())
        } else if arguments.has(.man) {
            try context.print(verb.map { ManualPage.verb(Verb.named($0)) } ?? ManualPage.overview())
        } else if let verb {
            let isWhole = arguments.has(.helpAll)
            try context.print(HelpText.verb(Verb.named(verb), width: context.terminal.width, isWhole: isWhole))
        } else {
            try context.print(HelpText.overview(width: context.terminal.width))
        }
        return .done
    }
}

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

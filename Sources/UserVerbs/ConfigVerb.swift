import Arguments
import Composition
import Console
import JSONDocument
import Verbs

extension Verb {
    static let config = Verb(
        name: .config,
        summary: "Show every setting and where its value comes from",
        description: """
            An option overrides the environment, then comes the configuration file, then the default. The file is \
            JSON: KNOT_CONFIG, or `knot-recommend/config.json` in XDG_CONFIG_HOME or ~/.config. Its relative paths \
            start from its folder. Also shows the database, folders and model in use.
            """,
        examples: [
            "knot-recommend config",
            "knot-recommend config --threads 4 --json",
        ],
        perform: ConfigVerb.perform
    )
}

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

    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let settings = context.settings.all.map { setting in
            Row(
                name: setting.name.rawValue,
                value: setting.value,
                layer: setting.layer,
                source: setting.source,
                defaultText: Flag.named(setting.name).usual(in: nil)
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

import Arguments
import Composition
import Console
import JSONDocument

extension VerbName {
    static let config = VerbName("config")
}

extension Verb {
    static let config = Verb(
        name: .config,
        summary: "shows each setting and what set it",
        description: """
            A flag wins over the environment, the environment over the configuration file, the file over the default. \
            The file is JSON: KNOT_CONFIG names it, else knot-recommend/config.json in XDG_CONFIG_HOME or \
            ~/.config. Paths in it are relative to it. Below the settings it shows what else decides a call: the \
            database, the folders, the model that is found.
            """,
        examples: [
            Example(purpose: "all settings", command: "knot-recommend config"),
            Example(purpose: "with one from a flag", command: "knot-recommend config --threads 4 --json"),
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

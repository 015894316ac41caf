import JSONDocument

/// `config`: each setting and what set it.
enum ConfigVerb {
    static func perform(_ context: CommandContext) throws(CommandError) -> ExitCode {
        if context.isJSON {
            try context.print(json(context.settings))
        } else {
            try context.print(lines(context.settings, context.terminal))
        }
        return .done
    }

    static func json(_ settings: Settings) -> JSONValue {
        let rows = settings.all.map { setting -> JSONValue in
            [
                "name": .string(setting.name.rawValue), "value": JSONValue(setting.value),
                "layer": .string(setting.layer.rawValue),
                "source": JSONValue(setting.source.isEmpty ? nil : setting.source),
                "default": JSONValue(Flag.named(setting.name).defaultText),
            ]
        }
        return ["schema": "knot.config/1", "file": JSONValue(settings.file), "settings": .array(rows)]
    }

    static func lines(_ settings: Settings, _ terminal: Terminal) -> [String] {
        let rows = settings.all.map { setting -> String in
            let value = setting.value ?? Flag.named(setting.name).defaultText ?? "(none)"
            let name = TextLayout.padded(setting.name.rawValue, to: 12)
            let shown = TextLayout.padded(TerminalText.safe(value, limit: 200), to: 32)
            let source = setting.source.isEmpty ? "" : " \(TerminalText.safe(setting.source, limit: 200))"
            let origin = setting.layer.rawValue + source
            return name + shown + " " + (setting.layer == .unset ? terminal.dim(origin) : origin)
        }
        let file = settings.file.map { TerminalText.safe($0, limit: 400) } ?? "none"
        return rows + ["", "configuration file: \(file)"]
    }
}

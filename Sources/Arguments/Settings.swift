package import Console

/// Every setting after all layers: flags over environment over file over default.
package struct Settings: Sendable, Equatable {
    /// The configuration file that was read, if any.
    package let file: String?
    /// In the order of the flag table.
    package let all: [Setting]

    /// Lays the layers over one another; a variable with a value that does not fit is a configuration error.
    package init(
        _ arguments: TypedArguments,
        environment: Environment,
        file: ConfigFile?,
        _ table: CommandTable
    ) throws(CommandError) {
        var settings: [Setting] = []
        var problems: [CommandProblem] = []
        for flag in table.flags where flag.isSetting {
            if let variable = flag.environment, let text = environment[variable], !text.isEmpty,
                flag.environmentMeaning == nil, !flag.kind.accepts(text)
            {
                problems.append(
                    CommandProblem(path: variable, "\"\(text)\" does not fit: it needs \(flag.kind.expectation)")
                )
            }
            settings.append(Self.winner(flag, arguments, environment, file))
        }
        problems += environment.unspeakable.sorted().map { CommandProblem(path: $0, "is not UTF-8") }
        guard problems.isEmpty else {
            throw CommandError(
                .configuration,
                "\(problems.count) problem\(problems.count == 1 ? "" : "s") in the environment",
                at: problems.compactMap(\.path).joined(separator: ", "),
                todo: "correct or unset the variable",
                problems: problems
            )
        }
        all = settings
        self.file = file?.path
    }

    private static func winner(
        _ flag: Flag,
        _ arguments: TypedArguments,
        _ environment: Environment,
        _ file: ConfigFile?
    ) -> Setting {
        if let typed = arguments.values[flag.name], let last = typed.last {
            let value = flag.kind == .none ? "true" : last
            return Setting(name: flag.name, value: value, layer: .flag, source: flag.name.typed)
        }
        // An empty variable counts as not set, which is how a shell unsets it for one command.
        if let variable = flag.environment, let text = environment[variable], !text.isEmpty {
            return Setting(
                name: flag.name,
                value: flag.environmentMeaning ?? text,
                layer: .environment,
                source: variable
            )
        }
        if let file, let text = file.values[flag.name] {
            return Setting(name: flag.name, value: text, layer: .file, source: file.path)
        }
        return Setting(name: flag.name, value: nil, layer: .unset, source: "")
    }

    /// The winning value; nil when only the default is left.
    package func text(_ name: FlagName) -> String? {
        all.first { $0.name == name }?.value
    }

    package func isOn(_ name: FlagName) -> Bool { text(name) == "true" }
}

/// One setting with its value and the layer that won.
package struct Setting: Sendable, Equatable {
    package let name: FlagName
    /// Nil when nothing set it; the meaning of that is the flag's default text.
    package let value: String?
    package let layer: SettingLayer
    /// The flag, variable or file that set it; empty for a default.
    package let source: String
}

/// Where a setting's value came from; later ones win.
package enum SettingLayer: String, Sendable {
    case unset = "default"
    case file
    case environment
    case flag
}

import FileInput
import Glibc

/// Every setting after all layers: flags over environment over file over default.
struct Settings: Sendable, Equatable {
    /// The configuration file that was read, if any.
    let file: String?
    /// In the order of the flag table.
    let all: [Setting]

    /// Lays the layers over one another; a variable with a value that does not fit is a configuration error.
    init(_ arguments: TypedArguments, environment: Environment, file: ConfigFile?) throws(CommandError) {
        var settings: [Setting] = []
        var problems: [CommandProblem] = []
        for flag in Flag.all where flag.isSetting {
            if let variable = flag.environment, let text = environment[variable], !text.isEmpty,
                flag.environmentMeaning == nil, !flag.kind.accepts(text)
            {
                problems.append(
                    CommandProblem(path: variable, "\"\(text)\" does not fit: it needs \(flag.kind.expectation)")
                )
            }
            settings.append(Self.winner(flag, arguments, environment, file))
        }
        problems += environment.unspeakable.sorted { $0.key < $1.key }.map { name, text in
            CommandProblem(path: name, "is not UTF-8: \(text)")
        }
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
    func text(_ name: FlagName) -> String? {
        all.first { $0.name == name }?.value
    }

    func isOn(_ name: FlagName) -> Bool { text(name) == "true" }
}

/// The environment variables this program knows, read once at the start.
struct Environment: Sendable, Equatable {
    private let values: [String: String]
    /// Variables whose bytes are no text, written out: they count as not set, and whoever needs them says so.
    let unspeakable: [String: String]

    init(_ values: [String: String], unspeakable: [String: String] = [:]) {
        self.values = values
        self.unspeakable = unspeakable
    }

    /// A set variable, even an empty one; nil when it is not set.
    subscript(name: String) -> String? { values[name] }

    /// Every set variable of those this program knows.
    var all: [String: String] { values }

    /// Variables that belong to no flag.
    static let known = [
        "KNOT_CONFIG", "XDG_CONFIG_HOME", "HOME", "COLUMNS", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "TZDIR",
        "DATABASE_URL", "DATABASE_URL_FILE", "KNOT_DEV_DB", "KNOT_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "PATH", "TZ",
    ]

    /// The process's own.
    static func current() -> Environment {
        var values: [String: String] = [:]
        var unspeakable: [String: String] = [:]
        for name in known + DatabaseDesk.connectionVariables + Flag.all.compactMap(\.environment) {
            // Called before any other thread runs, and copied at once.
            guard let value = unsafe getenv(name) else { continue }
            if let text = unsafe String(validatingCString: value) {
                values[name] = text
            } else {
                let bytes = unsafe UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) }
                unspeakable[name] = OddText.written(bytes)
            }
        }
        return Environment(values, unspeakable: unspeakable)
    }
}

/// One setting with its value and the layer that won.
struct Setting: Sendable, Equatable {
    let name: FlagName
    /// Nil when nothing set it; the meaning of that is the flag's default text.
    let value: String?
    let layer: SettingLayer
    /// The flag, variable or file that set it; empty for a default.
    let source: String
}

/// Where a setting's value came from; later ones win.
enum SettingLayer: String, Sendable {
    case unset = "default"
    case file
    case environment
    case flag
}

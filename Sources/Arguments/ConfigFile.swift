package import Console
import FileInput
package import JSONDocument

/// The configuration file: settings by the names of their flags.
package struct ConfigFile: Sendable, Equatable {
    package let path: String
    package let values: [FlagName: String]

    /// The file that the environment points at, if there is one; a file that was asked for by name must be there.
    package static func load(_ environment: Environment, _ table: CommandTable) throws(CommandError) -> ConfigFile? {
        if let path = environment[table.program.configurationVariable], !path.isEmpty {
            return try ConfigFile(path: path, document: InputFile.readJSON(path, broken: .configuration), table)
        }
        guard let folder = UserFolder.config.path(of: table.program.name, environment.all) else { return nil }
        let path = folder + "/config.json"
        do throws(CommandError) {
            return try ConfigFile(path: path, document: InputFile.readJSON(path, broken: .configuration), table)
        } catch {
            // Nobody has to have one; one that is there and may not be read is told.
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Reads all settings or throws with every problem.
    package init(path: String, document: JSONValue, _ table: CommandTable) throws(CommandError) {
        let reader = JSONReader(document)
        let known = table.flags.filter(\.isConfigurable)
        var values: [FlagName: String] = [:]
        if let object = document.object {
            for name in object.names where !known.contains(where: { $0.name.rawValue == name }) {
                let guess = EditDistance.nearest(to: name, among: known.map(\.name.rawValue))
                reader.note("is not a setting" + (guess.map { "; did you mean \($0)?" } ?? ""), at: name)
            }
        } else {
            reader.note("expected an object, found \(document.kindName)")
        }
        for flag in known {
            guard let member = reader.optional(flag.name.rawValue) else { continue }
            guard let text = Self.text(member.value, flag.kind), flag.kind == .none || flag.kind.accepts(text) else {
                member.note("needs \(flag.kind == .none ? "true or false" : flag.kind.expectation)")
                continue
            }
            values[flag.name] = Self.located(text, flag.kind, beside: path)
        }
        let problems = reader.problems.list.map { CommandProblem(file: path, $0) }
        guard problems.isEmpty else {
            throw CommandError(
                .configuration,
                "\(problems.count) problem\(problems.count == 1 ? "" : "s") in the configuration file",
                at: path,
                todo: "repair the file",
                problems: problems
            )
        }
        self.path = path
        self.values = values
    }

    /// A JSON value as it would be typed; nil when its type does not fit.
    private static func text(_ value: JSONValue, _ kind: ValueKind) -> String? {
        switch (kind, value) {
        case (.none, .bool(let flag)): flag ? "true" : "false"
        case (.none, _): nil
        case (.integer, .integer(let number)), (.unsigned, .integer(let number)): String(number)
        // A seed above what JSON readers keep exactly has to be written as text.
        case (.unsigned, .string(let text)): text
        case (.integer, _), (.unsigned, _): nil
        case (_, .string(let text)): text
        default: nil
        }
    }

    /// A relative path means beside the file it stands in, not wherever the command is run.
    private static func located(_ text: String, _ kind: ValueKind, beside path: String) -> String {
        guard kind.isPath(text), text != "-", !text.hasPrefix("/"), let slash = path.lastIndex(of: "/") else {
            return text
        }
        return String(path[...slash]) + text
    }
}

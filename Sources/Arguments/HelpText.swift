import Console
package import JSONDocument

/// Help pages for a terminal, made from the table of verbs and flags.
package struct HelpText {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    /// The page of the program: its purpose, where to begin and its verbs.
    package func overview(width: Int) -> [String] {
        let width = max(width, 60)
        let program = table.program
        let column = 4 + (table.verbs.map(\.name.rawValue.count).max() ?? 0)
        var lines = TextLayout.wrapped("\(program.purpose).", to: width)
        lines += ["", "Usage:", "  \(program.name) VERB [options]", "", "Examples:"]
        lines += examples(program.beginnings, width)
        for group in table.groups {
            lines += ["", "\(group.title):"]
            lines += group.verbs.flatMap { columns("  " + $0.name.rawValue, $0.summary, column, width) }
        }
        let more = "See `\(program.name) help VERB [ACTION]`; add --help-all for shared options and exit codes."
        return lines + [""] + TextLayout.wrapped(more, to: width)
    }

    /// The page of a verb or an action; with `isWhole` also the options that all verbs share, and the exit codes.
    package func page(
        _ verb: VerbDefinition,
        _ action: VerbAction? = nil,
        width: Int,
        isWhole: Bool = false
    ) -> [String] {
        // On a narrower terminal two columns aren't readable.
        let width = max(width, 60)
        let flags = table.counting(in: verb.name, action)
        let own = flags.filter { !$0.isOfEveryVerb }
        let shared = flags.filter(\.isOfEveryVerb)
        var lines = TextLayout.wrapped("\(action?.summary ?? verb.summary).", to: width)
        lines += ["", "Usage:"] + table.usage(of: verb, action).flatMap { hanging($0, width) }
        lines += ["", "Examples:"] + examples(action?.examples ?? verb.examples, width)
        for paragraph in (action?.description ?? verb.description).split(separator: "\n") {
            lines += [""] + TextLayout.wrapped(String(paragraph), to: width)
        }
        if !own.isEmpty { lines += ["", "Options:"] + options(own, verb, action, width) }
        guard isWhole else {
            let topic = "\(table.program.name) help \(verb.name.rawValue)"
            let whole = [topic, action?.name, "--help-all"].compactMap(\.self).joined(separator: " ")
            let one = action == nil && !verb.actions.isEmpty ? ["One action: \(topic) ACTION"] : []
            return lines + [""] + one + ["Shared options and exit codes: \(whole)"]
        }
        lines += ["", "Shared options:"] + options(shared, verb, action, width) + ["", "Exit codes:"]
        return lines
            + verb.allExitCodes.flatMap { columns("  \($0.rawValue)", table.program.exitCodeMeaning($0), 7, width) }
    }

    /// Examples with their comments behind them, or above them if they don't fit.
    func examples(_ examples: [Example], _ width: Int, indent: String = "  ") -> [String] {
        let room = width - indent.count
        func fits(_ example: Example, at column: Int) -> Bool {
            max(DisplayWidth.of(example.command), column) + 4 + DisplayWidth.of(example.comment) <= room
        }
        let commented = examples.filter { !$0.comment.isEmpty && fits($0, at: 0) }
        let widest = commented.map { DisplayWidth.of($0.command) }.max() ?? 0
        let column = commented.allSatisfy { fits($0, at: widest) } ? widest : 0
        return examples.flatMap { example in
            if example.comment.isEmpty { return command(example.command, width, indent) }
            guard fits(example, at: column) else {
                return [indent + "# " + example.comment] + command(example.command, width, indent)
            }
            return [indent + TextLayout.padded(example.command, to: column) + "  # " + example.comment]
        }
    }

    /// A command that is too long for a line continues after a backslash, so that it can still be pasted.
    private func command(_ text: String, _ width: Int, _ indent: String) -> [String] {
        guard DisplayWidth.of(indent + text) > width else { return [indent + text] }
        let pieces = TextLayout.wrapped(text, to: width - indent.count - 6)
        return pieces.enumerated().map { index, piece in
            indent + (index == 0 ? "" : "    ") + piece + (index == pieces.count - 1 ? "" : " \\")
        }
    }

    private func hanging(_ text: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(text) > width - 2 else { return ["  " + text] }
        return TextLayout.wrapped(text, to: width - 6).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
    }

    private func options(_ flags: [Flag], _ verb: VerbDefinition, _ action: VerbAction?, _ width: Int) -> [String] {
        let isShort = flags.contains { $0.short != nil }
        let heads = flags.map { "  " + (isShort && $0.short == nil ? "    " : "") + $0.synopsis(in: verb.name) }
        let column = (heads.map(DisplayWidth.of).filter { $0 <= 26 }.max() ?? 24) + 2
        return zip(flags, heads).flatMap { flag, head in
            columns(head, table.explanation(flag, verb, action), column, width)
        }
    }

    /// A head and its text in two columns; a head that is too wide has a line of its own.
    private func columns(_ head: String, _ text: String, _ column: Int, _ width: Int) -> [String] {
        let margin = String(repeating: " ", count: column)
        let lines = TextLayout.wrapped(text, to: width - column)
        if DisplayWidth.of(head) > column - 2 { return broken(head, width) + lines.map { margin + $0 } }
        return lines.enumerated().map { ($0 == 0 ? TextLayout.padded(head, to: column) : margin) + $1 }
    }

    /// A synopsis wider than the page breaks between the words that may be given.
    private func broken(_ head: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(head) > width else { return [head] }
        let spaced = head.replacing("|", with: "| ")
        return TextLayout.wrapped(spaced, to: width - 10).enumerated().map { index, line in
            (index == 0 ? "  " : "          ") + line.replacing("| ", with: "|")
        }
    }
}

extension CommandTable {
    /// The sentence of a flag with its words, its default and its variable.
    func explanation(_ flag: Flag, _ verb: VerbDefinition?, _ action: VerbAction? = nil) -> String {
        let help = help(flag, verb, action)
        let usual = flag.usual(in: verb?.name)
        let words = flag.hiddenWords(in: verb?.name)
        // A sentence that names other words than the default names all that are possible.
        let named = words.filter { help.contains("`\($0)`") }
        let isOpen = named.isEmpty || named == [usual]
        var facts: [String] = []
        if isOpen, !words.isEmpty { facts.append(words.joined(separator: ", ")) }
        if let usual, flag.kind != .none, isOpen || named.contains(usual) { facts.append("default: \(usual)") }
        if let variable = flag.environment(in: verb?.name) { facts.append("env: \(variable)") }
        if let verb, flag.isRepeatable(in: verb.name), !help.contains("repeat") { facts.append("can be repeated") }
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }
}

/// A verb's entry for programs.
package struct HelpDocument {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package func json(_ verb: VerbDefinition) -> JSONValue {
        var members = members(verb, nil)
        members.append(.init(name: "exit_codes", value: .array(verb.allExitCodes.map { .integer(Int($0.rawValue)) })))
        members.append(
            .init(name: "actions", value: .array(verb.actions.map { .object(JSONObject(self.members(verb, $0))) }))
        )
        return .object(JSONObject(members))
    }

    private func members(_ verb: VerbDefinition, _ action: VerbAction?) -> [JSONObject.Member] {
        [
            .init(name: "name", value: .string(action?.name ?? verb.name.rawValue)),
            .init(name: "summary", value: .string(action?.summary ?? verb.summary)),
            .init(name: "usage", value: .string(table.usage(of: verb, action).joined(separator: "\n"))),
            .init(name: "description", value: .string(action?.description ?? verb.description)),
            .init(name: "flags", value: .array(table.counting(in: verb.name, action).map { json($0, verb, action) })),
            .init(name: "examples", value: JSONValue((action?.examples ?? verb.examples).map(\.command))),
        ]
    }

    private func json(_ flag: Flag, _ verb: VerbDefinition, _ action: VerbAction?) -> JSONValue {
        [
            "name": .string(flag.name.typed), "value": JSONValue(flag.kind(in: verb.name).placeholder),
            "default": JSONValue(flag.usual(in: verb.name)), "environment": JSONValue(flag.environment(in: verb.name)),
            "help": .string(table.help(flag, verb, action)),
        ]
    }
}

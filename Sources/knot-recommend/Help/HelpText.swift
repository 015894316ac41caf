import JSONDocument

/// Help as lines for people, made from the tables of verbs and flags.
enum HelpText {
    /// What the program is and its verbs.
    static func overview(width: Int) -> [String] {
        let verbs = Verb.all.map { verb in
            "  " + TextLayout.padded(verb.name.rawValue, to: 13) + verb.summary
        }
        return ["knot-recommend makes a Choice of Three from what somebody noticed about their partner.", ""].flatMap {
            $0.isEmpty ? [""] : TextLayout.wrapped($0, to: width)
        } + ["Usage: knot-recommend VERB [flags]", "", "Verbs"] + verbs + [
            "", "knot-recommend help VERB explains one of them, with --help-all in full.", "",
            "Begin with",
            "  knot-recommend run --fixture fixtures/vaults/dev-01.json",
            "  knot-recommend help run",
        ]
    }

    /// What one verb does; with `isWhole` also the flags that many verbs share, and the exit codes.
    static func verb(_ verb: Verb, width: Int, isWhole: Bool = false) -> [String] {
        // Narrower than this the two columns stop being readable, and the terminal breaks the lines better.
        let width = max(width, 60)
        let own = Flag.counting(in: verb.name).filter { $0.scope != .every }
        let shared = Flag.counting(in: verb.name).filter { $0.scope == .every }
        var lines = TextLayout.wrapped("knot-recommend \(verb.name.rawValue) \(verb.summary).", to: width)
        lines += ["", "Usage"] + hanging(verb.usage, width)
        lines += [""] + TextLayout.wrapped(verb.description, to: width)
        if !own.isEmpty { lines += ["", "Flags"] + own.flatMap { entry($0, verb.name, width) } }
        if isWhole { lines += ["", "Flags that verbs share"] + shared.flatMap { entry($0, verb.name, width) } }
        lines += ["", "Examples"]
        for example in verb.examples {
            lines += ["  # \(example.purpose)"] + command(example.command, width)
        }
        guard isWhole else {
            let more =
                "Flags that verbs share, such as --json, and exit codes: knot-recommend help \(verb.name.rawValue) --help-all"
            return lines + [""] + TextLayout.wrapped(more, to: width)
        }
        lines += ["", "Exit codes"]
        lines += verb.allExitCodes.map { "  \(TextLayout.padded(String($0.rawValue), to: 5))\($0.meaning)" }
        return lines
    }

    private static func hanging(_ text: String, _ width: Int) -> [String] {
        TextLayout.wrapped(text, to: width - 6).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
    }

    /// A command that is too long for a line goes on behind a backslash, so that it can still be pasted.
    private static func command(_ text: String, _ width: Int) -> [String] {
        let pieces = TextLayout.wrapped(text, to: width - 8)
        return pieces.enumerated().map { index, piece in
            (index == 0 ? "  " : "      ") + piece + (index == pieces.count - 1 ? "" : " \\")
        }
    }

    private static func entry(_ flag: Flag, _ verb: VerbName, _ width: Int) -> [String] {
        let column = 26
        let text = TextLayout.wrapped(sentence(flag, verb), to: width - column)
        let head = "  " + (flag.short == nil ? "    " : "") + flag.synopsis(in: verb)
        if DisplayWidth.of(head) > column - 2 {
            return broken(head, width) + text.map { String(repeating: " ", count: column) + $0 }
        }
        return text.enumerated().map { index, line in
            (index == 0 ? TextLayout.padded(head, to: column) : String(repeating: " ", count: column)) + line
        }
    }

    /// A synopsis wider than the page breaks between the words that may be given.
    private static func broken(_ head: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(head) > width else { return [head] }
        let spaced = head.replacing("|", with: "| ")
        return TextLayout.wrapped(spaced, to: width - 10).enumerated().map { index, line in
            (index == 0 ? "      " : "          ") + line.replacing("| ", with: "|")
        }
    }

    /// The flag's sentence with what else there is to know.
    static func sentence(_ flag: Flag, _ verb: VerbName?) -> String {
        var facts: [String] = []
        if let text = flag.usual(in: verb) { facts.append("default: \(text)") }
        if let variable = flag.environment { facts.append("environment: \(variable)") }
        if let verb, flag.isRepeatable(in: verb), flag.name != .set, flag.name != .reject {
            facts.append("may be repeated")
        }
        return facts.isEmpty ? flag.help : "\(flag.help) (\(facts.joined(separator: "; ")))"
    }
}

/// A verb's entry for programs.
enum HelpDocument {
    static func json(_ verb: Verb) -> JSONValue {
        [
            "name": .string(verb.name.rawValue), "summary": .string(verb.summary), "usage": .string(verb.usage),
            "description": .string(verb.description),
            "flags": .array(Flag.counting(in: verb.name).map { json($0, verb.name) }),
            "examples": JSONValue(verb.examples.map(\.command)),
            "exit_codes": .array(verb.allExitCodes.map { .integer(Int($0.rawValue)) }),
        ]
    }

    private static func json(_ flag: Flag, _ verb: VerbName) -> JSONValue {
        [
            "name": .string(flag.name.typed), "value": JSONValue(flag.kind(in: verb).placeholder),
            "default": JSONValue(flag.usual(in: verb)), "environment": JSONValue(flag.environment),
            "help": .string(flag.help),
        ]
    }
}

/// The tables of the README, made from the tables of verbs and flags.
enum MarkdownTables {
    static func lines() -> [String] {
        ["### Verbs", ""] + verbs() + ["", "### Flags", ""] + flags() + ["", "### Exit codes", ""] + exitCodes()
    }

    static func verbs() -> [String] {
        ["| verb | does |", "|---|---|"] + Verb.all.map { "| `\($0.name.rawValue)` | \(cell($0.summary)) |" }
    }

    static func flags() -> [String] {
        ["| flag | verbs | means |", "|---|---|---|"]
            + Flag.all.map { flag in
                "| `\(cell(flag.synopsis(in: nil)))` | \(scope(flag)) | \(cell(HelpText.sentence(flag, nil))) |"
            }
    }

    static func exitCodes() -> [String] {
        ["| code | means |", "|---|---|"] + ExitCode.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
    }

    private static func scope(_ flag: Flag) -> String {
        switch flag.scope {
        case .every: "all"
        case .only(let verbs): verbs.map { "`\($0.rawValue)`" }.joined(separator: " ")
        }
    }

    /// A bar would end the cell.
    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// Manual pages in the language of man(7), made from the tables of verbs and flags.
enum ManualPage {
    /// `knot-recommend(1)`: what the program is, its verbs, its variables and its exit codes.
    static func overview() -> [String] {
        var lines = head("knot-recommend", "makes a Choice of Three from what somebody noticed about their partner")
        lines += [".SH SYNOPSIS", ".B knot\\-recommend", ".I VERB", "[flags]", ".SH VERBS"]
        for verb in Verb.all { lines += [".TP", ".B \(text(verb.name.rawValue))", line("\(verb.summary).")] }
        lines += [".SH ENVIRONMENT"]
        for flag in Flag.all {
            guard let variable = flag.environment else { continue }
            lines += [".TP", ".B \(variable)", line("The value of \(flag.name.typed), where the flag is not given.")]
        }
        for (name, meaning) in variables { lines += [".TP", ".B \(name)", line(meaning)] }
        lines += exitStatus(ExitCode.allCases)
        return lines + [".SH SEE ALSO"]
            + Verb.all.enumerated().map { index, verb in
                ".BR \(text("knot-recommend-\(verb.name.rawValue)")) (1)" + (index == Verb.all.count - 1 ? "" : ",")
            }
    }

    /// `knot-recommend-run(1)`: everything about one verb.
    static func verb(_ verb: Verb) -> [String] {
        var lines = head("knot-recommend-\(verb.name.rawValue)", verb.summary)
        lines += [".SH SYNOPSIS", line(verb.usage), ".SH DESCRIPTION", line(verb.description), ".SH OPTIONS"]
        for flag in Flag.counting(in: verb.name) {
            lines += [".TP", ".B \(text(flag.synopsis(in: verb.name)))", line(HelpText.sentence(flag, verb.name))]
        }
        lines += [".SH EXAMPLES"]
        for example in verb.examples {
            lines += [".TP", line("\(example.purpose):"), ".nf", ".B \(text(example.command))", ".fi"]
        }
        lines += exitStatus(verb.allExitCodes)
        return lines + [".SH SEE ALSO", ".BR knot\\-recommend (1)"]
    }

    /// Variables that belong to no flag and that somebody may want to set.
    private static let variables = [
        ("KNOT_CONFIG", "The configuration file."),
        ("KNOT_CACHE", "The folder of embeddings and of the model that set-up gets."),
        ("KNOT_DEV_DB", "The folder of the database that dev-db runs."),
        ("DATABASE_URL", "The database, before every other way to name one."),
        ("DATABASE_URL_FILE", "A file that holds the database's URL."),
    ]

    private static func head(_ name: String, _ summary: String) -> [String] {
        [
            ".TH \"\(text(name.uppercased()))\" 1 \"\" \"knot\\-recommend \(VersionVerb.number)\" \"knot\\-recommend\"",
            ".SH NAME", "\(text(name)) \\- \(text(summary))",
        ]
    }

    private static func exitStatus(_ codes: [ExitCode]) -> [String] {
        [".SH EXIT STATUS"] + codes.flatMap { [".TP", ".B \($0.rawValue)", line($0.meaning)] }
    }

    /// A text on a line of its own, which must not begin as a request does.
    private static func line(_ content: String) -> String {
        let escaped = text(content)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private static func text(_ content: String) -> String {
        content.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
    }
}

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

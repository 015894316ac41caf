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

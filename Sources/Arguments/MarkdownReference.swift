import Console

/// The page of the documentation that lists verbs, actions, options and exit codes.
package struct MarkdownReference {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package func lines() -> [String] {
        let name = table.program.name
        var lines = ["# Verbs", "", "What each verb of `\(name)` does, with its actions, options and exit codes.", ""]
        lines += ["## Overview", "", "`\(name) help --markdown` prints this page.", ""]
        for group in table.groups {
            lines += ["**\(group.title):**", ""]
            lines += group.verbs.map { "- `\($0.name.rawValue)`: \(text($0.summary))" } + [""]
        }
        lines += table.verbs.flatMap(verb) + ["## Shared options", ""]
        lines += ["Every verb accepts these; one that changes nothing about a call is refused.", ""]
        lines += options(table.flags.filter(\.isOfEveryVerb), nil, nil)
        lines += ["", "## Exit codes", "", "| code | meaning |", "|---|---|"]
        return lines + ExitCode.allCases.map { "| \($0.rawValue) | \(text(table.program.exitCodeMeaning($0))) |" }
    }

    private func verb(_ verb: VerbDefinition) -> [String] {
        let name = verb.name.rawValue
        var lines = ["## \(name)", "", "\(text(verb.summary)).", "", "```text"] + table.usage(of: verb) + ["```", ""]
        lines += paragraphs(verb.description)
        if verb.actions.isEmpty { lines += examples(verb.examples) + ownOptions(verb, nil) }
        for action in verb.actions {
            lines += ["### \(name) \(action.name)", "", "\(text(action.summary)).", ""]
            lines += paragraphs(action.description) + examples(action.examples) + ownOptions(verb, action)
        }
        return lines
    }

    private func paragraphs(_ description: String) -> [String] {
        description.split(separator: "\n").flatMap { [text(String($0)), ""] }
    }

    private func examples(_ examples: [Example]) -> [String] {
        ["```bash"] + HelpText(table).examples(examples, 80, indent: "") + ["```", ""]
    }

    private func ownOptions(_ verb: VerbDefinition, _ action: VerbAction?) -> [String] {
        let own = table.counting(in: verb.name, action).filter { !$0.isOfEveryVerb }
        return own.isEmpty ? [] : options(own, verb, action) + [""]
    }

    private func options(_ flags: [Flag], _ verb: VerbDefinition?, _ action: VerbAction?) -> [String] {
        ["| option | meaning |", "|---|---|"]
            + flags.map { flag in
                let synopsis = flag.synopsis(in: verb?.name).replacing("|", with: "\\|")
                return "| `\(synopsis)` | \(text(table.explanation(flag, verb, action))) |"
            }
    }

    /// Sets words that Markdown would read as markup as code, and keeps what is set as code already.
    private func text(_ content: String) -> String {
        let parts = content.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index % 2 == 1
                ? "`\(part)`"
                : part.split(separator: " ", omittingEmptySubsequences: false).map(Self.word).joined(separator: " ")
        }
        return parts.joined().replacing("|", with: "\\|")
    }

    /// Two dashes would become one long dash.
    private static func word(_ word: Substring) -> String {
        guard word.hasPrefix("--") || word.hasPrefix("(--") || word.contains(where: { "_<>*[]|".contains($0) }) else {
            return String(word)
        }
        let head = word.prefix { $0 == "(" }
        let tail = String(word.reversed().prefix { ".,;:)".contains($0) }.reversed())
        return head + "`" + word.dropFirst(head.count).dropLast(tail.count) + "`" + tail
    }
}

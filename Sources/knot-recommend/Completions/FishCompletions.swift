/// A completion script for fish.
enum FishCompletions {
    private static let command = "complete -c knot-recommend"

    static func script() -> [String] {
        let verbs = VerbName.allCases.map(\.rawValue).joined(separator: " ")
        let unspoken = "not __fish_seen_subcommand_from \(verbs)"
        var lines = ["# fish completion for knot-recommend", "\(command) -f"]
        lines += Verb.all.map { "\(command) -n '\(unspoken)' -a \($0.name.rawValue) -d '\(quoted($0.summary))'" }
        for flag in Flag.all {
            let isEverywhere = flag.scope == .every && flag.idle.isEmpty
            let short = flag.short.map { " -s \($0)" } ?? ""
            // Verbs that take other words after the flag have a line of their own.
            for verbs in Dictionary(grouping: takers(of: flag), by: { flag.words[$0] ?? [] }).values
                .sorted(by: { $0[0].rawValue < $1[0].rawValue })
            {
                let names = verbs.map(\.rawValue).joined(separator: " ")
                let condition = isEverywhere ? "" : " -n '__fish_seen_subcommand_from \(names)'"
                let value = value(flag, verbs[0])
                lines.append(
                    "\(command)\(condition) -l \(flag.name.rawValue)\(short)\(value) -d '\(quoted(flag.help))'"
                )
            }
        }
        for verb in Verb.all {
            guard let operand = verb.operand else { continue }
            lines.append(
                "\(command) -n '__fish_seen_subcommand_from \(verb.name.rawValue)'\(offer(CompletionHint(operand.kind)))"
            )
        }
        return lines
    }

    private static func takers(of flag: Flag) -> [VerbName] {
        VerbName.allCases.filter { flag.scope.includes($0) && flag.counts(in: $0, on: nil) }
    }

    private static func value(_ flag: Flag, _ verb: VerbName) -> String {
        flag.kind == .none ? "" : " -r\(offer(CompletionHint(flag, in: verb)))"
    }

    private static func offer(_ hint: CompletionHint) -> String {
        switch hint {
        case .nothing: ""
        case .words(let words): " -a '\(words.joined(separator: " "))'"
        case .files: " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        case .vaults: " -f -a '(timeout 2 knot-recommend completions --offer vaults 2>/dev/null)'"
        case .parameters: " -f -a '(timeout 2 knot-recommend completions --offer parameters 2>/dev/null)'"
        case .filesOrWords(let words) where words.isEmpty: " -F"
        case .filesOrWords(let words): " -F -a '\(words.joined(separator: " "))'"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}

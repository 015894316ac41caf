/// A completion script for fish.
enum FishCompletions {
    private static let command = "complete -c knot-recommend"

    static func script() -> [String] {
        let verbs = VerbName.allCases.map(\.rawValue).joined(separator: " ")
        let unspoken = "not __fish_seen_subcommand_from \(verbs)"
        var lines = ["# fish completion for knot-recommend", "\(command) -f"]
        lines += Verb.all.map { "\(command) -n '\(unspoken)' -a \($0.name.rawValue) -d '\(quoted($0.summary))'" }
        for flag in Flag.all {
            let condition =
                switch flag.scope {
                case .every: ""
                case .only(let names):
                    " -n '__fish_seen_subcommand_from \(names.map(\.rawValue).joined(separator: " "))'"
                }
            let short = flag.short.map { " -s \($0)" } ?? ""
            lines.append(
                "\(command)\(condition) -l \(flag.name.rawValue)\(short)\(value(flag.kind)) -d '\(quoted(flag.help))'"
            )
        }
        for verb in Verb.all {
            guard let operand = verb.operand else { continue }
            lines.append("\(command) -n '__fish_seen_subcommand_from \(verb.name.rawValue)'\(offer(operand.kind))")
        }
        return lines
    }

    private static func value(_ kind: ValueKind) -> String {
        kind == .none ? "" : " -r\(offer(kind))"
    }

    private static func offer(_ kind: ValueKind) -> String {
        switch CompletionHint(kind) {
        case .nothing: ""
        case .words(let words): " -a '\(words.joined(separator: " "))'"
        case .files: " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        case .filesOrWords(let words): " -F -a '\(words.joined(separator: " "))'"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}

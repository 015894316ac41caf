/// A completion script for zsh.
enum ZshCompletions {
    static func script() -> [String] {
        let verbs = Verb.all.map { "    '\($0.name.rawValue):\(quoted($0.summary))'" }
        var lines =
            [
                "#compdef knot-recommend",
                "# What only the program knows: asked quietly, and not waited for long.", "_knot_recommend_offer() {",
                "  local -a offered",
                "  offered=(${(f)\"$(timeout 2 knot-recommend completions --offer $1 2>/dev/null)\"})",
                "  compadd $2 -a offered", "}", "_knot_recommend() {", "  local -a verbs", "  verbs=(",
            ] + verbs
        lines += [
            "  )",
            "  local context state state_descr line",
            "  typeset -A opt_args",
            "  _arguments -C '1: :->verb' '*:: :->rest'",
            "  case $state in",
            "    verb) _describe -t verbs 'verb' verbs ;;",
            "    rest)",
            "      case $words[1] in",
        ]
        for verb in Verb.all {
            lines += ["        \(verb.name.rawValue))", "          _arguments \\"]
            lines += (Flag.counting(in: verb.name).flatMap { specifications($0, verb.name) } + operand(verb)).map {
                "            \($0) \\"
            }
            lines += ["            && return", "          ;;"]
        }
        return lines + ["      esac ;;", "  esac", "}", "compdef _knot_recommend knot-recommend"]
    }

    private static func specifications(_ flag: Flag, _ verb: VerbName) -> [String] {
        let help = quoted(flag.help).replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
        let many = flag.isRepeatable(in: verb) ? "*" : ""
        let value = flag.kind == .none ? "" : ":\(flag.name.rawValue):\(action(CompletionHint(flag, in: verb)))"
        return ([flag.name.typed] + (flag.short.map { ["-\($0)"] } ?? [])).map { "'\(many)\($0)[\(help)]\(value)'" }
    }

    private static func operand(_ verb: Verb) -> [String] {
        guard let operand = verb.operand else { return [] }
        let place = operand.isRepeatable ? "*" : "1"
        return ["'\(place):\(operand.name.lowercased()):\(action(CompletionHint(operand.kind)))'"]
    }

    private static func action(_ hint: CompletionHint) -> String {
        switch hint {
        case .nothing: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        case .vaults: " _knot_recommend_offer vaults"
        case .parameters: " _knot_recommend_offer parameters -qS="
        case .filesOrWords(let words) where words.isEmpty: "_files"
        case .filesOrWords(let words): "{ compadd \(words.joined(separator: " ")); _files }"
        }
    }

    private static func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
}

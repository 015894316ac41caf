/// A completion script for bash.
enum BashCompletions {
    static func script() -> [String] {
        let verbs = VerbName.allCases.map(\.rawValue).joined(separator: " ")
        return [
            "# bash completion for knot-recommend",
            "_knot_recommend() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb= flags= word",
            "  COMPREPLY=()",
            "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
            "    case $word in",
            "      \(verbs.split(separator: " ").joined(separator: "|"))) verb=$word; break ;;",
            "    esac",
            "  done",
            "  case $previous in",
        ] + values() + [
            "  esac",
            "  if [[ -z $verb ]]; then",
            "    COMPREPLY=($(compgen -W '\(verbs)' -- \"$current\"))",
            "    return",
            "  fi",
            "  case $verb in",
        ] + VerbName.allCases.map { "    \($0.rawValue)) flags='\(flags($0))' ;;" } + [
            "  esac",
            "  if [[ $current == -* ]]; then",
            "    COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))",
            "    return",
            "  fi",
            "  case $verb in",
        ] + operands() + [
            "  esac",
            "}",
            "complete -o filenames -F _knot_recommend knot-recommend",
        ]
    }

    private static func flags(_ verb: VerbName) -> String {
        Flag.of(verb).flatMap { [$0.name.typed] + ($0.short.map { ["-\($0)"] } ?? []) }.joined(separator: " ")
    }

    private static func values() -> [String] {
        Flag.all.filter { $0.kind != .none }.map { flag in
            "    \(flag.name.typed)) \(offer(CompletionHint(flag.kind))) return ;;"
        }
    }

    private static func operands() -> [String] {
        Verb.all.compactMap { verb in
            verb.operand.map { "    \(verb.name.rawValue)) \(offer(CompletionHint($0.kind))) ;;" }
        }
    }

    private static func offer(_ hint: CompletionHint) -> String {
        switch hint {
        case .nothing: ""
        case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"));"
        case .files: "COMPREPLY=($(compgen -f -- \"$current\"));"
        case .folders: "COMPREPLY=($(compgen -d -- \"$current\"));"
        case .filesOrWords(let words):
            "COMPREPLY=($(compgen -f -W '\(words.joined(separator: " "))' -- \"$current\"));"
        }
    }
}

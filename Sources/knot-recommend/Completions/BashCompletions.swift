/// A completion script for bash.
enum BashCompletions {
    static func script() -> [String] {
        let valued = Flag.all.filter { $0.kind != .none }.map(\.name.typed).joined(separator: " ")
        return [
            "# bash completion for knot-recommend",
            "_knot_recommend_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\"); }",
            "_knot_recommend_paths() {",
            "  compopt -o filenames 2>/dev/null",
            "  mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen \"$1\" -- \"$current\")",
            "}",
            "# What only the program knows: asked quietly, and not waited for long.",
            "_knot_recommend_offer() {",
            "  _knot_recommend_words \"$(timeout 3 \"${COMP_WORDS[0]}\" completions --offer \"$@\" 2>/dev/null)\"",
            "}",
            "_knot_recommend() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
            "  local verb= flags= word= value= pipeline=choice-of-three",
            "  COMPREPLY=()",
            "  # --flag=value comes as three words.",
            "  if [[ $current == = ]]; then current=",
            "  elif [[ $previous == = && $COMP_CWORD -ge 2 ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi",
            "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
            "    if [[ -n $value ]]; then",
            "      [[ $word == = ]] && continue",
            "      [[ $value == --pipeline ]] && pipeline=$word",
            "      value=",
            "    elif [[ ' \(valued) ' == *\" $word \"* ]]; then value=$word",
            "    elif [[ -z $verb && $word != -* && $word != = ]]; then verb=$word; fi",
            "  done",
            "  case $previous in",
        ] + values() + [
            "  esac",
            "  if [[ -z $verb ]]; then",
            "    if [[ $current == -* ]]; then _knot_recommend_words '--help --help-all --version'",
            "    else _knot_recommend_words '\(VerbName.allCases.map(\.rawValue).joined(separator: " "))'; fi",
            "    return",
            "  fi",
            "  case $verb in",
        ] + VerbName.allCases.map { "    \($0.rawValue)) flags='\(flags($0))' ;;" } + [
            "  esac",
            "  if [[ $current == -* ]]; then",
            "    _knot_recommend_words \"$flags\"",
            "    return",
            "  fi",
            "  case $verb in",
        ] + operands() + [
            "  esac",
            "}",
            "complete -F _knot_recommend knot-recommend",
        ]
    }

    private static func flags(_ verb: VerbName) -> String {
        Flag.counting(in: verb).flatMap { [$0.name.typed] + ($0.short.map { ["-\($0)"] } ?? []) }.joined(separator: " ")
    }

    private static func values() -> [String] {
        Flag.all.filter { $0.kind != .none }.map { flag in
            guard !flag.words.isEmpty else {
                return "    \(flag.name.typed)) \(offer(CompletionHint(flag))) return ;;"
            }
            let cases = VerbName.allCases.filter(flag.scope.includes).map { verb in
                "\(verb.rawValue)) \(offer(CompletionHint(flag, in: verb))) ;;"
            }
            return "    \(flag.name.typed)) case $verb in \(cases.joined(separator: " ")) esac; return ;;"
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
        case .words(let words): "_knot_recommend_words '\(words.joined(separator: " "))';"
        case .files: "_knot_recommend_paths -f;"
        case .folders: "_knot_recommend_paths -d;"
        case .filesOrWords(let words):
            (words.isEmpty ? "" : "_knot_recommend_words '\(words.joined(separator: " "))'; ")
                + "_knot_recommend_paths -f;"
        case .vaults: "_knot_recommend_offer vaults;"
        case .parameters:
            "compopt -o nospace 2>/dev/null; _knot_recommend_offer parameters --pipeline \"$pipeline\";"
        }
    }
}

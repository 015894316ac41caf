import Recommendation

/// The shells that completions are written for.
enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    var completionScript: [String] {
        switch self {
        case .bash: BashCompletions.script()
        case .zsh: ZshCompletions.script()
        case .fish: FishCompletions.script()
        }
    }
}

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

/// What a shell can offer in the place of a value.
enum CompletionHint: Sendable, Equatable {
    case nothing
    case words([String])
    case files
    case folders
    case filesOrWords([String])
    /// Ids, which the program knows.
    case vaults
    /// Names, which the program knows.
    case parameters

    init(_ flag: Flag, in verb: VerbName? = nil) {
        self = flag.name == .vault ? .vaults : CompletionHint(flag.kind(in: verb))
    }

    init(_ kind: ValueKind) {
        self =
            switch kind {
            case .parameter: .parameters
            case .none, .text, .integer, .unsigned, .duration, .instant: .nothing
            case .file: .files
            case .folder: .folders
            case .path(let words): .filesOrWords(words)
            case .pipeline: .filesOrWords(ShippedPipelines.names)
            case .choice(let words): .words(words)
            }
    }
}

/// What a shell cannot know and asks the program itself for.
enum CompletionOffer: String, Sendable, CaseIterable {
    /// The ids of the vaults in the database.
    case vaults
    /// `node.parameter=` of every parameter of the pipeline.
    case parameters
}

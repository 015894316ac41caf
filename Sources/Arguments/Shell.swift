/// The shells that completions are written for.
package enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    package func completionScript(_ table: CommandTable) -> [String] {
        switch self {
        case .bash: BashCompletions(table).script()
        case .zsh: ZshCompletions(table).script()
        case .fish: FishCompletions(table).script()
        }
    }
}

/// A completion script for bash.
struct BashCompletions {
    private let table: CommandTable

    init(_ table: CommandTable) {
        self.table = table
    }

    private var program: String { table.program.name }
    private var function: String { table.program.shellFunction }

    func script() -> [String] {
        let valued = table.flags.filter { $0.kind != .none }.map(\.name.typed).joined(separator: " ")
        let remembered = Set(table.flags.compactMap { $0.offer?.depends }).sorted {
            $0.name.rawValue < $1.name.rawValue
        }
        let variables = remembered.map { " \($0.name.rawValue)=\($0.usually)" }.joined()
        let remembering = remembered.map { "      [[ $value == \($0.name.typed) ]] && \($0.name.rawValue)=$word" }
        return [
            "# bash completion for \(program)",
            "\(function)_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\"); }",
            "\(function)_paths() {",
            "  compopt -o filenames 2>/dev/null",
            "  mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen \"$1\" -- \"$current\")",
            "}",
            "# What only the program knows: asked quietly, and not waited for long.",
            "\(function)_offer() {",
            "  \(function)_words \"$(timeout 3 \"${COMP_WORDS[0]}\" completions --offer \"$@\" 2>/dev/null)\"",
            "}",
            "\(function)() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
            "  local verb= action= flags= word= value=\(variables)",
            "  COMPREPLY=()",
            "  # --flag=value comes as three words.",
            "  if [[ $current == = ]]; then current=",
            "  elif [[ $previous == = && $COMP_CWORD -ge 2 ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi",
            "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
            "    if [[ -n $value ]]; then",
            "      [[ $word == = ]] && continue",
        ] + remembering + [
            "      value=",
            "    elif [[ ' \(valued) ' == *\" $word \"* ]]; then value=$word",
            "    elif [[ $word == -* || $word == = ]]; then continue",
            "    elif [[ -z $verb ]]; then verb=$word",
            "    elif [[ -z $action ]]; then action=$word; fi",
            "  done",
            "  case $previous in",
        ] + values() + [
            "  esac",
            "  if [[ -z $verb ]]; then",
            "    if [[ $current == -* ]]; then \(function)_words '--help --help-all --version'",
            "    else \(function)_words '\(table.verbNames.map(\.rawValue).joined(separator: " "))'; fi",
            "    return",
            "  fi",
            "  case \"$verb $action\" in",
        ] + table.verbs.flatMap(flags) + [
            "  esac",
            "  if [[ $current == -* ]]; then",
            "    \(function)_words \"$flags\"",
            "    return",
            "  fi",
            "  case \"$verb $action\" in",
        ] + operands() + [
            "  esac",
            "}",
            "complete -F \(function) \(program)",
        ]
    }

    /// The flags of a verb, and of each of its actions where they differ.
    private func flags(_ verb: VerbDefinition) -> [String] {
        let name = verb.name.rawValue
        let cases = verb.actions.map { "      \(name)' '\($0.name)) flags='\(words(verb.name, $0))' ;;" }
        return cases + ["    \(name)' '*) flags='\(words(verb.name, nil))' ;;"]
    }

    private func words(_ verb: VerbName, _ action: VerbAction?) -> String {
        table.counting(in: verb, action).flatMap { [$0.name.typed] + ($0.short.map { ["-\($0)"] } ?? []) }
            .joined(separator: " ")
    }

    private func values() -> [String] {
        table.flags.filter { $0.kind != .none }.map { flag in
            guard !flag.words.isEmpty else {
                return "    \(flag.name.typed)) \(offer(CompletionHint(flag))) return ;;"
            }
            let cases = table.takers(of: flag).map { verb in
                "\(verb.rawValue)) \(offer(CompletionHint(flag, in: verb))) ;;"
            }
            return "    \(flag.name.typed)) case $verb in \(cases.joined(separator: " ")) esac; return ;;"
        }
    }

    private func operands() -> [String] {
        let topics = table.verbs.filter { !$0.actions.isEmpty }.map { verb in
            "      'help \(verb.name.rawValue)') \(function)_words '\(verb.actions.map(\.name).joined(separator: " "))' ;;"
        }
        return topics
            + table.verbs.compactMap { verb in
                verb.operand.map { "    \(verb.name.rawValue)' '*) \(offer(CompletionHint($0.kind))) ;;" }
            }
    }

    private func offer(_ hint: CompletionHint) -> String {
        switch hint {
        case .nothing: ""
        case .words(let words): "\(function)_words '\(words.joined(separator: " "))';"
        case .files: "\(function)_paths -f;"
        case .folders: "\(function)_paths -d;"
        case .filesOrWords(let words):
            (words.isEmpty ? "" : "\(function)_words '\(words.joined(separator: " "))'; ")
                + "\(function)_paths -f;"
        case .offered(let offer):
            (offer.suffix.isEmpty ? "" : "compopt -o nospace 2>/dev/null; ")
                + "\(function)_offer \(offer.name)"
                + (offer.depends.map { " \($0.name.typed) \"$\($0.name.rawValue)\"" } ?? "") + ";"
        }
    }
}

/// A completion script for fish.
struct FishCompletions {
    private let table: CommandTable

    init(_ table: CommandTable) {
        self.table = table
    }

    private var program: String { table.program.name }
    private var command: String { "complete -c \(program)" }

    func script() -> [String] {
        let verbs = table.verbNames.map(\.rawValue).joined(separator: " ")
        let unspoken = "not __fish_seen_subcommand_from \(verbs)"
        var lines = ["# fish completion for \(program)", "\(command) -f"]
        lines += table.verbs.map { "\(command) -n '\(unspoken)' -a \($0.name.rawValue) -d '\(quoted($0.summary))'" }
        for flag in table.flags {
            let isEverywhere = flag.isOfEveryVerb && flag.idle.isEmpty
            let short = flag.short.map { " -s \($0)" } ?? ""
            // Verbs with other words after the flag, another text for it or only some actions for it have their own line.
            let groups = Dictionary(grouping: takers(of: flag)) { verb in
                [table.help(flag, table.verb(verb))] + (flag.words[verb] ?? []) + actions(flag, verb)
            }
            for verbs in groups.values.sorted(by: { $0[0].rawValue < $1[0].rawValue }) {
                let seen = "__fish_seen_subcommand_from "
                let actions = actions(flag, verbs[0]).joined(separator: " ")
                let names =
                    verbs.map(\.rawValue).joined(separator: " ") + (actions.isEmpty ? "" : "; and \(seen)\(actions)")
                let condition = isEverywhere ? "" : " -n '\(seen)\(names)'"
                let value = value(flag, verbs[0])
                let help = quoted(table.help(flag, table.verb(verbs[0])))
                lines.append("\(command)\(condition) -l \(flag.name.rawValue)\(short)\(value) -d '\(help)'")
            }
        }
        for verb in table.verbs {
            guard let operand = verb.operand else { continue }
            lines.append(
                "\(command) -n '__fish_seen_subcommand_from \(verb.name.rawValue)'\(offer(CompletionHint(operand.kind)))"
            )
        }
        return lines
    }

    private func takers(of flag: Flag) -> [VerbName] {
        table.takers(of: flag).filter { table.counting(in: $0).contains(flag) }
    }

    /// The actions that a flag is for; empty if it is for all.
    private func actions(_ flag: Flag, _ verb: VerbName) -> [String] {
        let all = table.verb(verb).actions
        let taking = all.filter { table.counting(in: verb, $0).contains(flag) }
        return taking.count == all.count ? [] : taking.map(\.name)
    }

    private func value(_ flag: Flag, _ verb: VerbName) -> String {
        flag.kind == .none ? "" : " -r\(offer(CompletionHint(flag, in: verb)))"
    }

    private func offer(_ hint: CompletionHint) -> String {
        switch hint {
        case .nothing: ""
        case .words(let words): " -a '\(words.joined(separator: " "))'"
        case .files: " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        case .offered(let offer):
            " -f -a '(timeout 2 \(program) completions --offer \(offer.name) 2>/dev/null)'"
        case .filesOrWords(let words) where words.isEmpty: " -F"
        case .filesOrWords(let words): " -F -a '\(words.joined(separator: " "))'"
        }
    }

    private func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}

/// A completion script for zsh.
struct ZshCompletions {
    private let table: CommandTable

    init(_ table: CommandTable) {
        self.table = table
    }

    private var program: String { table.program.name }
    private var function: String { table.program.shellFunction }

    func script() -> [String] {
        let verbs = table.verbs.map { "    '\($0.name.rawValue):\(quoted($0.summary))'" }
        var lines =
            [
                "#compdef \(program)",
                "# What only the program knows: asked quietly, and not waited for long.", "\(function)_offer() {",
                "  local -a offered",
                "  offered=(${(f)\"$(timeout 2 \(program) completions --offer $1 2>/dev/null)\"})",
                "  compadd $2 -a offered", "}", "\(function)() {", "  local -a verbs", "  verbs=(",
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
        for verb in table.verbs {
            lines += ["        \(verb.name.rawValue))"]
            guard !verb.actions.isEmpty else {
                lines += arguments(verb, nil) + ["          ;;"]
                continue
            }
            lines.append("          case $words[2] in")
            for action in verb.actions {
                lines += ["          \(action.name))"] + arguments(verb, action) + ["          ;;"]
            }
            lines += ["          *)"] + arguments(verb, nil) + ["          ;;", "          esac ;;"]
        }
        return lines + ["      esac ;;", "  esac", "}", "compdef \(function) \(program)"]
    }

    /// The call that offers the flags and the operand of a verb, or of one of its actions.
    private func arguments(_ verb: VerbDefinition, _ action: VerbAction?) -> [String] {
        let flags = table.counting(in: verb.name, action).flatMap { specifications($0, verb, action) }
        return ["          _arguments \\"] + (flags + operand(verb)).map { "            \($0) \\" }
            + ["            && return"]
    }

    private func specifications(_ flag: Flag, _ verb: VerbDefinition, _ action: VerbAction?) -> [String] {
        let text = quoted(table.help(flag, verb, action))
        let help = text.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
        let many = flag.isRepeatable(in: verb.name) ? "*" : ""
        let value = flag.kind == .none ? "" : ":\(flag.name.rawValue):\(offer(CompletionHint(flag, in: verb.name)))"
        return ([flag.name.typed] + (flag.short.map { ["-\($0)"] } ?? [])).map { "'\(many)\($0)[\(help)]\(value)'" }
    }

    private func operand(_ verb: VerbDefinition) -> [String] {
        guard let operand = verb.operand else { return [] }
        let place = operand.isRepeatable ? "*" : "1"
        return ["'\(place):\(operand.name.lowercased()):\(offer(CompletionHint(operand.kind)))'"]
    }

    private func offer(_ hint: CompletionHint) -> String {
        switch hint {
        case .nothing: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        case .offered(let offer):
            " \(function)_offer \(offer.name)" + (offer.suffix.isEmpty ? "" : " -qS\(offer.suffix)")
        case .filesOrWords(let words) where words.isEmpty: "_files"
        case .filesOrWords(let words): "{ compadd \(words.joined(separator: " ")); _files }"
        }
    }

    private func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
}

/// What a shell can offer in the place of a value.
package enum CompletionHint: Sendable, Equatable {
    case nothing
    case words([String])
    case files
    case folders
    case filesOrWords([String])
    case offered(ProgramOffer)

    package init(_ flag: Flag, in verb: VerbName? = nil) {
        self = flag.offer.map { .offered($0) } ?? CompletionHint(flag.kind(in: verb))
    }

    package init(_ kind: ValueKind) {
        self =
            switch kind {
            case .none, .text, .integer, .unsigned: .nothing
            case .file: .files
            case .folder: .folders
            case .path(let words): .filesOrWords(words)
            case .choice(let words): .words(words)
            case .form(let form): form.hint
            }
    }
}

/// What a shell cannot know and asks the program itself for, with `completions --offer NAME`.
package struct ProgramOffer: Sendable, Equatable {
    /// A flag whose value decides what is offered, with what that is where it is not given.
    package struct Dependency: Sendable, Hashable {
        package let name: FlagName
        package let usually: String
    }

    package let name: String
    /// What follows an offered word at once; empty: a space.
    package let suffix: String
    package let depends: Dependency?

    package init(_ name: String, suffix: String = "") {
        self.name = name
        self.suffix = suffix
        depends = nil
    }

    package init(_ name: String, suffix: String, depends flag: FlagName, usually value: String) {
        self.name = name
        self.suffix = suffix
        depends = Dependency(name: flag, usually: value)
    }
}

extension ProgramDescription {
    /// What its functions in a shell begin with.
    fileprivate var shellFunction: String { "_" + name.replacing("-", with: "_") }
}

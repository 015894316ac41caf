/// Help as lines for people, made from the tables of verbs and flags.
enum HelpText {
    /// What the program is and its verbs.
    static func overview(width: Int) -> [String] {
        let verbs = Verb.all.map { verb in
            "  " + TextLayout.padded(verb.name.rawValue, to: 13) + verb.summary
        }
        return ["knot-recommend makes a Choice of Three from what somebody noticed about their partner.", ""].flatMap {
            $0.isEmpty ? [""] : TextLayout.wrapped($0, to: width)
        } + ["Usage: knot-recommend VERB [flags]", "", "Verbs"] + verbs + [
            "", "knot-recommend help VERB explains one of them, with --help-all in full.", "",
            "Begin with",
            "  knot-recommend run --fixture fixtures/vaults/dev-01.json",
            "  knot-recommend help run",
        ]
    }

    /// What one verb does; with `isWhole` also the flags that many verbs share, and the exit codes.
    static func verb(_ verb: Verb, width: Int, isWhole: Bool = false) -> [String] {
        // Narrower than this the two columns stop being readable, and the terminal breaks the lines better.
        let width = max(width, 60)
        let own = Flag.counting(in: verb.name).filter { $0.scope != .every }
        let shared = Flag.counting(in: verb.name).filter { $0.scope == .every }
        var lines = TextLayout.wrapped("knot-recommend \(verb.name.rawValue) \(verb.summary).", to: width)
        lines += ["", "Usage"] + hanging(verb.usage, width)
        lines += [""] + TextLayout.wrapped(verb.description, to: width)
        if !own.isEmpty { lines += ["", "Flags"] + own.flatMap { entry($0, verb.name, width) } }
        if isWhole { lines += ["", "Flags that verbs share"] + shared.flatMap { entry($0, verb.name, width) } }
        lines += ["", "Examples"]
        for example in verb.examples {
            lines += ["  # \(example.purpose)"] + command(example.command, width)
        }
        guard isWhole else {
            let more =
                "Flags that verbs share, such as --json, and exit codes: knot-recommend help \(verb.name.rawValue) --help-all"
            return lines + [""] + TextLayout.wrapped(more, to: width)
        }
        lines += ["", "Exit codes"]
        lines += verb.allExitCodes.map { "  \(TextLayout.padded(String($0.rawValue), to: 5))\($0.meaning)" }
        return lines
    }

    private static func hanging(_ text: String, _ width: Int) -> [String] {
        TextLayout.wrapped(text, to: width - 6).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
    }

    /// A command that is too long for a line goes on behind a backslash, so that it can still be pasted.
    private static func command(_ text: String, _ width: Int) -> [String] {
        let pieces = TextLayout.wrapped(text, to: width - 8)
        return pieces.enumerated().map { index, piece in
            (index == 0 ? "  " : "      ") + piece + (index == pieces.count - 1 ? "" : " \\")
        }
    }

    private static func entry(_ flag: Flag, _ verb: VerbName, _ width: Int) -> [String] {
        let column = 26
        let text = TextLayout.wrapped(sentence(flag, verb), to: width - column)
        let head = "  " + (flag.short == nil ? "    " : "") + flag.synopsis(in: verb)
        if DisplayWidth.of(head) > column - 2 {
            return broken(head, width) + text.map { String(repeating: " ", count: column) + $0 }
        }
        return text.enumerated().map { index, line in
            (index == 0 ? TextLayout.padded(head, to: column) : String(repeating: " ", count: column)) + line
        }
    }

    /// A synopsis wider than the page breaks between the words that may be given.
    private static func broken(_ head: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(head) > width else { return [head] }
        let spaced = head.replacing("|", with: "| ")
        return TextLayout.wrapped(spaced, to: width - 10).enumerated().map { index, line in
            (index == 0 ? "      " : "          ") + line.replacing("| ", with: "|")
        }
    }

    /// The flag's sentence with what else there is to know.
    static func sentence(_ flag: Flag, _ verb: VerbName?) -> String {
        var facts: [String] = []
        if let text = flag.usual(in: verb) { facts.append("default: \(text)") }
        if let variable = flag.environment { facts.append("environment: \(variable)") }
        if let verb, flag.isRepeatable(in: verb), flag.name != .set, flag.name != .reject {
            facts.append("may be repeated")
        }
        return facts.isEmpty ? flag.help : "\(flag.help) (\(facts.joined(separator: "; ")))"
    }
}

package import Console

/// Turns words into typed arguments and notes everything that is misspelled, not only the first thing.
package struct ArgumentParser {
    private let words: [String]
    private let table: CommandTable
    private var problems: [Problem] = []

    /// One thing wrong with the words.
    private struct Problem {
        let what: String
        let todo: String
    }

    /// Parses the words after the program's name; nil when there are none.
    package static func parse(_ words: [String], _ table: CommandTable) throws(CommandError) -> TypedArguments? {
        var parser = ArgumentParser(words: words, table: table)
        return try parser.parse()
    }

    private init(words: [String], table: CommandTable) {
        self.words = words
        self.table = table
    }

    private mutating func parse() throws(CommandError) -> TypedArguments? {
        guard let place = verbPlace() else {
            let flags = words.prefix { $0 != "--" }
            let asked: VerbName? =
                if flags.contains("--version") {
                    .version
                } else if flags.contains(where: { ["--help", "-h", "--help-all"].contains($0) }) {
                    .help
                } else {
                    nil
                }
            if let asked {
                var arguments = TypedArguments(verb: asked)
                let rest = flags.filter { !["--version", "--help", "-h"].contains($0) }
                read(rest[...], into: &arguments)
                try throwProblems(of: asked)
                return arguments
            }
            guard let stray = words.first else { return nil }
            throw Self.failure(
                "no verb in the command, only \(stray)",
                table.program.name,
                "begin with a verb: \(verbList)"
            )
        }
        guard let verb = table.verb(typed: words[place]) else {
            let guess = EditDistance.nearest(to: words[place], among: table.verbNames.map(\.rawValue))
            throw Self.failure(
                "unknown verb \(words[place])",
                table.program.name,
                guess.map { "did you mean \($0)?" } ?? "use one of \(verbList)"
            )
        }
        var arguments = TypedArguments(verb: verb)
        read(words[..<place] + words[(place + 1)...], into: &arguments)
        if arguments.has(.help) || arguments.has(.helpAll), verb != .help {
            // How the answer looks was asked for with it; everything else was meant for the verb.
            let looks = arguments.values.filter { [.json, .quiet, .verbose, .color, .helpAll].contains($0.key) }
            let action = table.verb(verb).action(arguments.operands.first)
            return TypedArguments(
                verb: .help,
                values: looks,
                operands: [verb.rawValue] + (action.map { [$0.name] } ?? [])
            )
        }
        checkOperands(arguments)
        try throwProblems(of: verb)
        return arguments
    }

    /// The first word that is neither a flag nor a flag's value: flags may stand before the verb.
    private func verbPlace() -> Int? {
        var index = 0
        while index < words.count {
            let word = words[index]
            if word == "--" { return nil }
            guard word.hasPrefix("-"), word.count > 1 else { return index }
            if let flag = flag(of: word), flag.kind != .none, !word.contains("=") { index += 1 }
            index += 1
        }
        return nil
    }

    private mutating func read(_ words: ArraySlice<String>, into arguments: inout TypedArguments) {
        let words = Array(words)
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                arguments.operands += words[index...]
                return
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                arguments.operands.append(word)
                continue
            }
            let next = index < words.count ? words[index] : nil
            if readFlag(word, next: next, into: &arguments) { index += 1 }
        }
    }

    /// Reads one flag; true when the next word was its value.
    private mutating func readFlag(_ word: String, next: String?, into arguments: inout TypedArguments) -> Bool {
        guard let flag = flag(of: word), table.takes(flag, arguments.verb) else {
            noteUnknown(word, arguments.verb)
            // What follows was most likely meant as its value: to call that unexpected too would only be noise.
            let couldBeValue = next.map { !looksLikeFlag($0) } ?? false
            return couldBeValue && !word.contains("=") && table.verb(arguments.verb).operand == nil
        }
        let kind = flag.kind(in: arguments.verb)
        var value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        var usesNext = false
        if kind == .none {
            guard value == nil else {
                note("\(flag.name.typed) takes no value", "leave out =\(value ?? "")")
                return false
            }
            value = ""
        } else if value == nil, let next, !looksLikeFlag(next) {
            value = next
            usesNext = true
        }
        guard let value else {
            note("\(flag.name.typed) has no value", "it needs \(kind.expectation)")
            return usesNext
        }
        guard kind.accepts(value) else {
            let shown = value.isEmpty ? "an empty value" : "\"\(value)\""
            note("\(flag.name.typed) cannot be \(shown)", "it needs \(kind.expectation)")
            return usesNext
        }
        if arguments.has(flag.name), !flag.isRepeatable(in: arguments.verb) {
            note("\(flag.name.typed) is given more than once", "give it once")
        }
        arguments.values[flag.name, default: []].append(value)
        return usesNext
    }

    private mutating func noteUnknown(_ word: String, _ verb: VerbName) {
        let typed = String(word.prefix { $0 != "=" })
        if let flag = flag(of: word) {
            let verbs = table.takers(of: flag).map(\.rawValue).joined(separator: ", ")
            return note("\(typed) is not a flag of \(verb.rawValue)", "it belongs to \(verbs)")
        }
        let known = table.flags(of: verb).map(\.name.rawValue)
        let elsewhere = table.flags.map(\.name.rawValue)
        let bare = String(typed.drop { $0 == "-" })
        let guess = EditDistance.nearest(to: bare, among: known) ?? EditDistance.nearest(to: bare, among: elsewhere)
        note(
            "unknown flag \(typed)",
            guess.map { "did you mean --\($0)?" } ?? "see \(table.program.name) help \(verb.rawValue)"
        )
    }

    private mutating func checkOperands(_ arguments: TypedArguments) {
        let operand = table.verb(arguments.verb).operand
        var operands = [operand].compactMap(\.self)
        if arguments.verb == .help, let verb = arguments.operands.first.flatMap(table.verb(typed:)) {
            let actions = table.verb(verb).actions.map(\.name)
            if !actions.isEmpty {
                operands.append(Operand(kind: .choice(actions), name: "ACTION", isRepeatable: false))
            }
        }
        let limit = operand?.isRepeatable ?? false ? Int.max : operands.count
        for extra in arguments.operands.dropFirst(limit) {
            note("unexpected word \(extra)", operand == nil ? "this verb takes only flags" : "give one")
        }
        for (index, word) in arguments.operands.prefix(limit).enumerated() {
            let operand = operands[min(index, operands.count - 1)]
            guard !operand.kind.accepts(word) else { continue }
            var todo = "it needs \(operand.kind.expectation)"
            if case .choice(let words) = operand.kind, let guess = EditDistance.nearest(to: word, among: words) {
                todo = "did you mean \(guess)?"
            }
            note("\(operand.name) cannot be \"\(word)\"", todo)
        }
    }

    private mutating func note(_ what: String, _ todo: String) {
        problems.append(Problem(what: what, todo: todo))
    }

    private func throwProblems(of verb: VerbName) throws(CommandError) {
        let place = table.place(verb)
        guard let first = problems.first else { return }
        guard problems.count > 1 else { throw Self.failure(first.what, place, first.todo) }
        throw CommandError(
            .usage,
            "\(problems.count) problems with the command line",
            at: place,
            todo: "see \(table.program.name) help \(verb.rawValue)",
            problems: problems.map { CommandProblem("\($0.what): \($0.todo)") }
        )
    }

    /// A flag by what was typed, long or short, with or without its value.
    private func flag(of word: String) -> Flag? {
        let bare = word.prefix { $0 != "=" }
        if bare.hasPrefix("--") { return table.flag(typed: bare.dropFirst(2)) }
        guard bare.count == 2, let letter = bare.last else { return nil }
        return table.flag(short: letter)
    }

    /// A value may begin with a dash (a negative number); what is clearly a flag is not swallowed as one.
    private func looksLikeFlag(_ word: String) -> Bool {
        word.hasPrefix("--") || (word.hasPrefix("-") && flag(of: word) != nil)
    }

    private static func failure(_ what: String, _ place: String, _ todo: String) -> CommandError {
        CommandError(.usage, what, at: place, todo: todo)
    }

    private var verbList: String { table.verbNames.map(\.rawValue).joined(separator: ", ") }
}

/// What was typed, spelled correctly but not yet understood.
package struct TypedArguments: Sendable, Equatable {
    package let verb: VerbName
    package var values: [FlagName: [String]]
    package var operands: [String]

    package init(verb: VerbName, values: [FlagName: [String]] = [:], operands: [String] = []) {
        self.verb = verb
        self.values = values
        self.operands = operands
    }

    package func has(_ name: FlagName) -> Bool { values[name] != nil }

    /// All values of a flag in the order typed.
    package func all(_ name: FlagName) -> [String] { values[name] ?? [] }

    /// The call as it can be typed again: flags in the table's order, then operands.
    package func commandLine(_ table: CommandTable, leavingOut left: Set<FlagName>) -> String {
        var words = [table.program.name, verb.rawValue]
        for flag in table.flags(of: verb) where !left.contains(flag.name) {
            for value in all(flag.name) { words += flag.kind == .none ? [flag.name.typed] : [flag.name.typed, value] }
        }
        return (words + operands).map(Self.quoted).joined(separator: " ")
    }

    /// In single quotes where a shell would not take it as it is.
    private static func quoted(_ word: String) -> String {
        let plain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_./=:,+@%".utf8.contains(byte)
                }
            }
        return plain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// The value of a flag that can be given once.
    package func text(_ name: FlagName) -> String? { values[name]?.last }
}

/// Turns words into typed arguments and notes everything that is misspelled, not only the first thing.
struct ArgumentParser {
    private let words: [String]
    private var problems: [Problem] = []

    /// One thing wrong with the words.
    private struct Problem {
        let what: String
        let todo: String
    }

    /// Parses the words after the program's name; nil when there are none.
    static func parse(_ words: [String]) throws(CommandError) -> TypedArguments? {
        var parser = ArgumentParser(words: words)
        return try parser.parse()
    }

    private init(words: [String]) {
        self.words = words
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
                "knot-recommend",
                "begin with a verb: \(Self.verbList)"
            )
        }
        guard let verb = VerbName(rawValue: words[place]) else {
            let guess = EditDistance.nearest(to: words[place], among: VerbName.allCases.map(\.rawValue))
            throw Self.failure(
                "unknown verb \(words[place])",
                "knot-recommend",
                guess.map { "did you mean \($0)?" } ?? "use one of \(Self.verbList)"
            )
        }
        var arguments = TypedArguments(verb: verb)
        read(words[..<place] + words[(place + 1)...], into: &arguments)
        if arguments.has(.help) || arguments.has(.helpAll), verb != .help {
            // How the answer looks was asked for with it; everything else was meant for the verb.
            let looks = arguments.values.filter { [.json, .quiet, .verbose, .color, .helpAll].contains($0.key) }
            return TypedArguments(verb: .help, values: looks, operands: [verb.rawValue])
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
            if let flag = Self.flag(of: word), flag.kind != .none, !word.contains("=") { index += 1 }
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
        guard let flag = Self.flag(of: word), flag.scope.includes(arguments.verb) else {
            noteUnknown(word, arguments.verb)
            // What follows was most likely meant as its value: to call that unexpected too would only be noise.
            let couldBeValue = next.map { !Self.looksLikeFlag($0) } ?? false
            return couldBeValue && !word.contains("=") && Verb.named(arguments.verb).operand == nil
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
        } else if value == nil, let next, !Self.looksLikeFlag(next) {
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
        if let flag = Self.flag(of: word) {
            let verbs = VerbName.allCases.filter(flag.scope.includes).map(\.rawValue).joined(separator: ", ")
            return note("\(typed) is not a flag of \(verb.rawValue)", "it belongs to \(verbs)")
        }
        let known = Flag.of(verb).map(\.name.rawValue)
        let elsewhere = FlagName.allCases.map(\.rawValue)
        let bare = String(typed.drop { $0 == "-" })
        let guess = EditDistance.nearest(to: bare, among: known) ?? EditDistance.nearest(to: bare, among: elsewhere)
        note(
            "unknown flag \(typed)",
            guess.map { "did you mean --\($0)?" } ?? "see knot-recommend help \(verb.rawValue)"
        )
    }

    private mutating func checkOperands(_ arguments: TypedArguments) {
        let operand = Verb.named(arguments.verb).operand
        let limit = operand.map { $0.isRepeatable ? Int.max : 1 } ?? 0
        for extra in arguments.operands.dropFirst(limit) {
            note("unexpected word \(extra)", operand == nil ? "this verb takes only flags" : "give one")
        }
        for word in arguments.operands.prefix(limit) {
            guard let operand, !operand.kind.accepts(word) else { continue }
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
        let place = "knot-recommend \(verb.rawValue)"
        guard let first = problems.first else { return }
        guard problems.count > 1 else { throw Self.failure(first.what, place, first.todo) }
        throw CommandError(
            .usage,
            "\(problems.count) problems with the command line",
            at: place,
            todo: "see knot-recommend help \(verb.rawValue)",
            problems: problems.map { CommandProblem("\($0.what): \($0.todo)") }
        )
    }

    /// A flag by what was typed, long or short, with or without its value.
    private static func flag(of word: String) -> Flag? {
        let bare = word.prefix { $0 != "=" }
        if bare.hasPrefix("--") { return FlagName(rawValue: String(bare.dropFirst(2))).map(Flag.named) }
        guard bare.count == 2, let letter = bare.last else { return nil }
        return Flag.short(letter)
    }

    /// A value may begin with a dash (a negative number); what is clearly a flag is not swallowed as one.
    private static func looksLikeFlag(_ word: String) -> Bool {
        word.hasPrefix("--") || (word.hasPrefix("-") && flag(of: word) != nil)
    }

    private static func failure(_ what: String, _ place: String, _ todo: String) -> CommandError {
        CommandError(.usage, what, at: place, todo: todo)
    }

    private static var verbList: String { VerbName.allCases.map(\.rawValue).joined(separator: ", ") }
}

/// What was typed, spelled correctly but not yet understood.
struct TypedArguments: Sendable, Equatable {
    let verb: VerbName
    var values: [FlagName: [String]] = [:]
    var operands: [String] = []

    func has(_ name: FlagName) -> Bool { values[name] != nil }

    /// All values of a flag in the order typed.
    func all(_ name: FlagName) -> [String] { values[name] ?? [] }

    /// The call as it can be typed again: flags in the table's order, then operands.
    func commandLine(leavingOut left: Set<FlagName>) -> String {
        var words = ["knot-recommend", verb.rawValue]
        for flag in Flag.of(verb) where !left.contains(flag.name) {
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
    func text(_ name: FlagName) -> String? { values[name]?.last }
}

/// Finds the known word that a mistyped one was probably meant to be.
enum EditDistance {
    /// The nearest word, if it is near enough to be a guess and not a joke.
    static func nearest(to typed: String, among known: [String]) -> String? {
        // A word cut short is meant more often than another word of the same length.
        let begun = known.filter { typed.count >= 3 && $0.hasPrefix(typed) }
        if begun.count == 1 { return begun.first }
        guard typed.utf8.count <= 40 else { return nil }
        let ranked = known.map { (word: $0, distance: between(Array(typed), Array($0))) }
        let best = ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let best, best.distance <= max(1, min(typed.count, best.word.count) / 3) else { return nil }
        return best.word
    }

    /// Insertions, removals, replacements and swaps of neighbours between two words.
    static func between(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}

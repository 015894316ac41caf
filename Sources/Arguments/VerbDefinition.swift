package import Console

/// One verb: the single entry that the parser, help, manual pages and completions are made from.
package struct VerbDefinition: Sendable {
    package let name: VerbName
    /// One imperative sentence, without a full stop.
    package let summary: String
    /// Empty if the verb has actions.
    package let uses: [VerbUse]
    /// In the order in which help lists them.
    package let actions: [VerbAction]
    package let operand: Operand?
    /// Facts that usage lines and options don't state; often empty.
    package let description: String
    /// Those of its actions if it has none of its own.
    package let examples: [Example]
    /// The flags that every use and every action takes, besides those of every verb.
    package let commonFlags: [FlagName]
    /// Texts of flags that mean something else to this verb.
    package let texts: [FlagName: String]
    /// Besides those that every verb can give.
    package let exitCodes: [ExitCode]
    /// Whether the environment and the configuration file matter to it.
    package let readsSettings: Bool

    package init(
        name: VerbName,
        summary: String,
        uses: [VerbUse] = ["[options]"],
        actions: [VerbAction] = [],
        operand: Operand? = nil,
        description: String = "",
        examples: [Example] = [],
        flags: [FlagName] = [],
        texts: [FlagName: String] = [:],
        exitCodes: [ExitCode] = [],
        readsSettings: Bool = true
    ) {
        self.name = name
        self.summary = summary
        self.uses = actions.isEmpty ? uses : []
        self.actions = actions
        let words = actions.map(\.name)
        self.operand =
            operand
            ?? (actions.isEmpty ? nil : Operand(kind: .choice(words), name: "ACTION", isRepeatable: false))
        self.description = description
        self.examples = examples.isEmpty ? actions.compactMap(\.examples.first) : examples
        commonFlags = flags
        self.texts = texts
        self.exitCodes = exitCodes
        self.readsSettings = readsSettings
    }

    /// All flags it takes besides those of every verb.
    package var flags: Set<FlagName> {
        Set(commonFlags + actions.flatMap { $0.flags + $0.uses.flatMap(\.flags) } + uses.flatMap(\.flags))
    }

    /// All codes it can give, in order.
    package var allExitCodes: [ExitCode] {
        let common: [ExitCode] = [.done, .usage, .inputOutput, .interrupted, .terminated]
        let settings: [ExitCode] = readsSettings ? [.notFound, .notPermitted, .configuration] : []
        return Set(common + settings + exitCodes).sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns the action of that name.
    package func action(_ word: String?) -> VerbAction? { actions.first { $0.name == word } }
}

/// An action of a verb: `vault new`.
package struct VerbAction: Sendable {
    package let name: String
    /// One imperative sentence, without a full stop.
    package let summary: String
    /// Its line in the usage of the verb, without `[options]`.
    package let synopsis: String
    package let uses: [VerbUse]
    package let description: String
    package let examples: [Example]
    /// The flags that all its uses take, besides those that all actions of the verb take.
    package let flags: [FlagName]
    /// Texts of flags that mean something else to this action than to the verb.
    package let texts: [FlagName: String]
    /// Whether the verb does this if no action is named.
    package let isUsual: Bool

    package init(
        _ name: String,
        _ summary: String,
        _ synopsis: String = "",
        uses: [VerbUse] = [],
        description: String = "",
        examples: [Example],
        flags: [FlagName] = [],
        without: [FlagName] = [],
        texts: [FlagName: String] = [:],
        isUsual: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.synopsis = synopsis
        let usual = VerbUse(synopsis.isEmpty ? "[options]" : "\(synopsis) [options]", without: without)
        self.uses = uses.isEmpty ? [usual] : uses
        self.description = description
        self.examples = examples
        self.flags = flags
        self.texts = texts
        self.isUsual = isUsual
    }
}

/// One way to call a verb or an action: a line of its usage, with the flags that count there.
package struct VerbUse: Sendable, ExpressibleByStringLiteral {
    /// The words after the verb or the action.
    package let synopsis: String
    /// The flag that selects this use; `nil` for the use of a call that has none of the others' flags.
    package let flag: FlagName?
    /// The flags that not every use takes.
    package let flags: [FlagName]
    /// Flags of every verb that change nothing here.
    package let without: [FlagName]
    /// Flags of the verb that ask for what is so anyway: they are allowed, and a note says that they change nothing.
    package let harmless: [FlagName]

    package init(
        _ synopsis: String,
        by flag: FlagName? = nil,
        flags: [FlagName] = [],
        without: [FlagName] = [],
        harmless: [FlagName] = []
    ) {
        self.synopsis = synopsis
        self.flag = flag
        self.flags = flags + (flag.map { [$0] } ?? [])
        self.without = without
        self.harmless = harmless
    }

    package init(stringLiteral synopsis: String) { self.init(synopsis) }
}

/// A command line and, if it isn't obvious, what it is for: written as `COMMAND # COMMENT`.
package struct Example: Sendable, Equatable, ExpressibleByStringLiteral {
    package let command: String
    /// Empty if the command explains itself.
    package let comment: String

    package init(stringLiteral text: String) {
        let parts = text.split(separator: " # ", maxSplits: 1)
        command = String(parts.first ?? "")
        comment = parts.count > 1 ? String(parts[1]) : ""
    }
}

/// The word that calls a verb.
package struct VerbName: Sendable, Hashable {
    package let rawValue: String

    package init(_ word: String) {
        rawValue = word
    }
}

extension VerbName {
    // Those that the parser itself understands.
    package static let help = VerbName("help")
    package static let version = VerbName("version")
}

/// An argument of a verb that isn't a flag.
package struct Operand: Sendable {
    private let makeKind: @Sendable () -> ValueKind
    /// `CASSETTE`, as errors name it.
    package let name: String
    package let isRepeatable: Bool

    /// Stores the kind as a closure: it may list the verbs, and this is part of their table.
    package init(kind: @autoclosure @escaping @Sendable () -> ValueKind, name: String, isRepeatable: Bool) {
        makeKind = kind
        self.name = name
        self.isRepeatable = isRepeatable
    }

    package var kind: ValueKind { makeKind() }
}

/// One flag: the single entry that the parser, help, manual pages and completions are made from.
package struct Flag: Sendable, Equatable {
    package let name: FlagName
    package let short: Character?
    package let kind: ValueKind
    /// The name of the value in help; `nil`: what its kind shows.
    private let value: String?
    /// All others are those that a verb lists.
    package let isOfEveryVerb: Bool
    /// Verbs where it may be given more than once.
    package let repeatable: [VerbName]
    /// Verbs that take it with all others, where it changes nothing.
    package let idle: [VerbName]
    /// Of the kind's words those that a verb takes, where those are not all; the first is what it is without the flag.
    package let words: [VerbName: [String]]
    /// What follows it after a verb for which it is something else.
    package let kinds: [VerbName: ValueKind]
    /// The flag without which it changes nothing.
    package let needs: FlagName?
    /// Verbs that write the file of this name; all others read it.
    package let written: [VerbName]
    /// The variable that sets it.
    package let environment: String?
    /// Verbs that don't read the variable or the configuration file for it.
    private let typedOnly: [VerbName]
    /// What the flag is when the variable is set to anything at all, for a variable that is a flag itself.
    package let environmentMeaning: String?
    /// Whether the configuration file may set it, under its own name.
    package let isConfigurable: Bool
    private let defaultText: String?
    /// What it is without the flag for verbs for which that is something else.
    private let defaultTexts: [VerbName: String]
    /// What only the program can offer in the value's place.
    package let offer: ProgramOffer?
    /// One sentence for people, without a full stop, for all verbs and actions that have no text of their own for it.
    package let help: String

    package init(
        name: FlagName,
        short: Character? = nil,
        kind: ValueKind,
        value: String? = nil,
        isOfEveryVerb: Bool = false,
        repeatable: [VerbName] = [],
        idle: [VerbName] = [],
        words: [VerbName: [String]] = [:],
        kinds: [VerbName: ValueKind] = [:],
        needs: FlagName? = nil,
        written: [VerbName] = [],
        environment: String? = nil,
        typedOnly: [VerbName] = [],
        environmentMeaning: String? = nil,
        isConfigurable: Bool = false,
        defaultText: String? = nil,
        defaultTexts: [VerbName: String] = [:],
        offer: ProgramOffer? = nil,
        help: String
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.value = value
        self.isOfEveryVerb = isOfEveryVerb
        self.repeatable = repeatable
        self.idle = idle
        self.words = words
        self.kinds = kinds
        self.needs = needs
        self.written = written
        self.environment = environment
        self.typedOnly = typedOnly
        self.environmentMeaning = environmentMeaning
        self.isConfigurable = isConfigurable
        self.defaultText = defaultText
        self.defaultTexts = defaultTexts
        self.offer = offer
        self.help = help
    }

    /// Whether the value has layers that a person may want to see.
    package var isSetting: Bool { environment != nil || isConfigurable }

    /// The variable that sets it for a verb; `nil` is any verb that takes it.
    package func environment(in verb: VerbName?) -> String? {
        verb.map(typedOnly.contains) ?? false ? nil : environment
    }

    package func isRepeatable(in verb: VerbName) -> Bool { repeatable.contains(verb) }

    /// What may follow the flag after a verb; nil is any verb that takes it.
    package func kind(in verb: VerbName?) -> ValueKind {
        verb.flatMap { verb in words[verb].map { .choice($0) } ?? kinds[verb] } ?? kind
    }

    /// What it is for a verb without the flag; nil is any verb that takes it.
    package func usual(in verb: VerbName?) -> String? {
        verb.flatMap { words[$0]?.first ?? defaultTexts[$0] } ?? defaultText
    }

    /// The words that may follow it after a verb and that its synopsis doesn't show.
    package func hiddenWords(in verb: VerbName?) -> [String] {
        if value != nil, case .choice(let words) = kind(in: verb) { words } else { [] }
    }

    /// `--seed N`, as help shows it.
    package func synopsis(in verb: VerbName?) -> String {
        let value = value ?? kind(in: verb).placeholder
        return (short.map { "-\($0), " } ?? "") + name.typed + (value.isEmpty ? "" : " \(value)")
    }
}

/// The name of a flag: what is typed after the two dashes.
package struct FlagName: Sendable, Hashable {
    package let rawValue: String

    package init(_ word: String) {
        rawValue = word
    }

    /// As typed.
    package var typed: String { "--\(rawValue)" }
}

extension FlagName {
    // Those that the parser itself understands, or that say how every answer looks.
    package static let help = FlagName("help")
    package static let helpAll = FlagName("help-all")
    package static let json = FlagName("json")
    package static let quiet = FlagName("quiet")
    package static let verbose = FlagName("verbose")
    package static let color = FlagName("color")
}

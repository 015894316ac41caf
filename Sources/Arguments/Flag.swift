/// One flag: the single entry that the parser, help, completions and the README's table are made from.
package struct Flag: Sendable, Equatable {
    package let name: FlagName
    package let short: Character?
    package let kind: ValueKind
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
    /// The subjects of a verb that it says something about, where those are not all.
    package let fits: [VerbName: [Subject]]
    /// The flag without which it changes nothing.
    package let needs: FlagName?
    /// Verbs that write the file of this name; all others read it.
    package let written: [VerbName]
    /// The variable that sets it.
    package let environment: String?
    /// What the flag is when the variable is set to anything at all, for a variable that is a flag itself.
    package let environmentMeaning: String?
    /// Whether the configuration file may set it, under its own name.
    package let isConfigurable: Bool
    private let defaultText: String?
    /// What it is without the flag for verbs for which that is something else.
    private let defaultTexts: [VerbName: String]
    /// What only the program can offer in the value's place.
    package let offer: ProgramOffer?
    /// One sentence for people.
    private let help: String
    /// What it means to verbs for which it is something else.
    private let helps: [VerbName: String]

    package init(
        name: FlagName,
        short: Character? = nil,
        kind: ValueKind,
        isOfEveryVerb: Bool = false,
        repeatable: [VerbName] = [],
        idle: [VerbName] = [],
        words: [VerbName: [String]] = [:],
        kinds: [VerbName: ValueKind] = [:],
        fits: [VerbName: [Subject]] = [:],
        needs: FlagName? = nil,
        written: [VerbName] = [],
        environment: String? = nil,
        environmentMeaning: String? = nil,
        isConfigurable: Bool = false,
        defaultText: String? = nil,
        defaultTexts: [VerbName: String] = [:],
        offer: ProgramOffer? = nil,
        help: String,
        helps: [VerbName: String] = [:]
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.isOfEveryVerb = isOfEveryVerb
        self.repeatable = repeatable
        self.idle = idle
        self.words = words
        self.kinds = kinds
        self.fits = fits
        self.needs = needs
        self.written = written
        self.environment = environment
        self.environmentMeaning = environmentMeaning
        self.isConfigurable = isConfigurable
        self.defaultText = defaultText
        self.defaultTexts = defaultTexts
        self.offer = offer
        self.help = help
        self.helps = helps
    }

    /// What it means to a verb, or in general.
    package func help(in verb: VerbName?) -> String { verb.flatMap { helps[$0] } ?? help }

    /// Whether the value has layers that a person may want to see.
    package var isSetting: Bool { environment != nil || isConfigurable }

    package func isRepeatable(in verb: VerbName) -> Bool { repeatable.contains(verb) }

    /// What may follow the flag after a verb; nil is any verb that takes it.
    package func kind(in verb: VerbName?) -> ValueKind {
        verb.flatMap { verb in words[verb].map { .choice($0) } ?? kinds[verb] } ?? kind
    }

    /// What it is for a verb without the flag; nil is any verb that takes it.
    package func usual(in verb: VerbName?) -> String? {
        verb.flatMap { words[$0]?.first ?? defaultTexts[$0] } ?? defaultText
    }

    /// `--seed N`, as help shows it.
    package func synopsis(in verb: VerbName?) -> String {
        let placeholder = kind(in: verb).placeholder
        let value = placeholder.isEmpty ? "" : " \(placeholder)"
        return (short.map { "-\($0), " } ?? "") + name.typed + value
    }

    /// Whether the flag changes anything about a call of a verb on a subject.
    package func counts(in verb: VerbName, on subject: Subject?) -> Bool {
        if idle.contains(verb) { return false }
        guard let fitting = fits[verb], let subject else { return true }
        return fitting.contains(subject)
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

/// What a call is about, for verbs that can be about several things: not every flag says something about each of them.
package struct Subject: Sendable, Hashable {
    private let name: String
    /// The subject as an error names it.
    package let words: String

    /// Several subjects may have the same words, and none the same name.
    package init(_ name: String, _ words: String) {
        self.name = name
        self.words = words
    }
}

/// What a verb takes besides flags.
package struct Operand: Sendable {
    private let makeKind: @Sendable () -> ValueKind
    /// `CASSETTE`, as the synopsis shows it.
    package let name: String
    package let isRepeatable: Bool
    /// Whether it belongs to a flag, so that the verb's own synopsis says where it stands.
    package let isOfFlag: Bool

    /// The kind is made when it is asked for: it may be the name of a verb, and this is a part of the verbs' table.
    package init(
        kind: @autoclosure @escaping @Sendable () -> ValueKind,
        name: String,
        isRepeatable: Bool,
        isOfFlag: Bool = false
    ) {
        makeKind = kind
        self.name = name
        self.isRepeatable = isRepeatable
        self.isOfFlag = isOfFlag
    }

    package var kind: ValueKind { makeKind() }

    /// `[PIPELINE ...]`: none of them is needed, because a flag or a default can stand in.
    package var synopsis: String { isRepeatable ? "[\(name) ...]" : "[\(name)]" }
}

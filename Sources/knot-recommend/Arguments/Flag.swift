/// One flag: the single entry that the parser, help, completions and the README's table are made from.
struct Flag: Sendable, Equatable {
    let name: FlagName
    var short: Character?
    let kind: ValueKind
    let scope: FlagScope
    /// Verbs where it may be given more than once.
    var repeatable: [VerbName] = []
    /// Verbs that take it with all others, where it changes nothing.
    var idle: [VerbName] = []
    /// Of the kind's words those that a verb takes, where those are not all; the first is what it is without the flag.
    var words: [VerbName: [String]] = [:]
    /// The subjects of a verb that it says something about, where those are not all.
    var fits: [VerbName: [Subject]] = [:]
    /// The flag without which it changes nothing.
    var needs: FlagName?
    /// Verbs that write the file of this name; all others read it.
    var written: [VerbName] = []
    /// The variable that sets it.
    var environment: String?
    /// What the flag is when the variable is set to anything at all, for a variable that is a flag itself.
    var environmentMeaning: String?
    /// Whether the configuration file may set it, under its own name.
    var isConfigurable = false
    var defaultText: String?
    /// One sentence for people.
    let help: String

    /// Whether the value has layers that `config` shows.
    var isSetting: Bool { environment != nil || isConfigurable }

    func isRepeatable(in verb: VerbName) -> Bool { repeatable.contains(verb) }

    /// What may follow the flag after a verb; nil is any verb that takes it.
    func kind(in verb: VerbName?) -> ValueKind {
        verb.flatMap { words[$0] }.map { .choice($0) } ?? kind
    }

    /// What it is for a verb without the flag; nil is any verb that takes it.
    func usual(in verb: VerbName?) -> String? {
        verb.flatMap { words[$0]?.first } ?? defaultText
    }

    /// `--seed N`, as help shows it.
    func synopsis(in verb: VerbName?) -> String {
        let placeholder = kind(in: verb).placeholder
        let value = placeholder.isEmpty ? "" : " \(placeholder)"
        return (short.map { "-\($0), " } ?? "") + name.typed + value
    }
}

extension Flag {
    /// All flags: those of single verbs first, then those of every verb.
    static let all = ofSingleVerbs + ofEvaluation + ofTheDatabase + ofEveryVerb

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    static func named(_ name: FlagName) -> Flag {
        guard let flag = byName[name] else { preconditionFailure("the flag \(name.typed) has no entry") }
        return flag
    }

    /// The flags that say something about a verb, in table order: what help and completions offer.
    static func counting(in verb: VerbName) -> [Flag] {
        of(verb).filter { $0.counts(in: verb, on: nil) }
    }

    static func short(_ letter: Character) -> Flag? {
        all.first { $0.short == letter }
    }

    /// The flags of a verb in table order.
    static func of(_ verb: VerbName) -> [Flag] {
        all.filter { $0.scope.includes(verb) }
    }
}

/// The flags of this build; the raw value is what is typed after the two dashes.
enum FlagName: String, Sendable, CaseIterable {
    case fixture
    case vault
    case all
    case hint
    case position
    case milestone
    case occasion
    case from
    case reason
    case reject
    case candidate
    case run
    case cassette
    case fixtures
    case against
    case sweep
    case report
    case format
    case output
    case diff
    case readings
    case rates
    case asOf = "as-of"
    case record
    case trace
    case traceTexts = "trace-texts"
    case dryRun = "dry-run"
    case explain
    case timings
    case request
    case cards
    case asUser = "as-user"
    case catalogue
    case calibrate
    case concurrency
    case file
    case template
    case text
    case limit
    case after
    case replace
    case to
    case status
    case yes
    case allowWeakTLS = "allow-weak-tls"
    case markdown
    case man
    case offer
    case pipeline
    case experiment
    case set
    case seed
    case threads
    case deadline
    case kernels
    case model
    case strict
    case quiet
    case verbose
    case json
    case color
    case help
    case helpAll = "help-all"

    /// As typed.
    var typed: String { "--\(rawValue)" }
}

/// Which verbs take a flag.
enum FlagScope: Sendable, Equatable {
    case every
    case only([VerbName])

    func includes(_ verb: VerbName) -> Bool {
        switch self {
        case .every: true
        case .only(let verbs): verbs.contains(verb)
        }
    }
}

/// What a verb takes besides flags.
struct Operand: Sendable, Equatable {
    let kind: ValueKind
    /// `CASSETTE`, as the synopsis shows it.
    let name: String
    let isRepeatable: Bool

    /// `[PIPELINE ...]`: none of them is needed, because a flag or a default can stand in.
    var synopsis: String { isRepeatable ? "[\(name) ...]" : "[\(name)]" }
}

import KnotDomain
import StageGraph

/// What may follow a flag, so that the parser, help and completions agree on it.
enum ValueKind: Sendable, Equatable {
    /// The flag stands alone.
    case none
    case text(String)
    case file
    case folder
    /// A file, a folder or one of some words.
    case path(orWords: [String])
    /// A shipped pipeline's name, or a file when it has a slash or ends in `.json`.
    case pipeline
    /// `node.parameter=value`.
    case parameter
    case integer(ClosedRange<Int>)
    case unsigned
    case duration
    case instant
    case choice([String])

    /// What help shows in the value's place; empty when there is none.
    var placeholder: String {
        switch self {
        case .none: ""
        case .text(let name): name
        case .file: "FILE"
        case .folder: "DIR"
        case .path(let words): (["FILE", "DIR"] + words).joined(separator: "|")
        case .pipeline: "NAME|FILE"
        case .parameter: "NODE.PARAMETER=VALUE"
        case .integer, .unsigned: "N"
        case .duration: "DURATION"
        case .instant: "INSTANT"
        case .choice(let words): words.joined(separator: "|")
        }
    }

    /// What would fit, as the end of a sentence that begins "needs".
    var expectation: String {
        switch self {
        case .none: "no value"
        case .text(let name): "a value (\(name))"
        case .file: "the path of a file"
        case .folder: "the path of a folder"
        case .path(let words): (["the path of a file or a folder"] + words).joined(separator: ", or ")
        case .pipeline: "a shipped pipeline's name or the path of a .json file"
        case .parameter: "node.parameter=value, such as combine.hints=0.7"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .unsigned: "a whole number from 0 to 18446744073709551615"
        case .duration: "a time with its unit, such as 500ms, 2s or 1m"
        case .instant: "an instant, such as 2026-03-01T09:00:00Z"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        }
    }

    /// Whether a text of this kind is the path of a file or folder, and not a name or a word.
    func isPath(_ text: String) -> Bool {
        switch self {
        case .file, .folder: true
        case .path(let words): !words.contains(text)
        case .pipeline: PipelineReference(text).isFile
        default: false
        }
    }

    /// Whether a text would do; existence of files is looked at when they are opened, not here.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .none: text.isEmpty
        case .text, .file, .folder, .path, .pipeline: !text.isEmpty && !text.utf8.contains(0)
        case .parameter: CommandLineSetting(text) != nil
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .unsigned: UInt64(text) != nil
        case .duration: DurationText.parse(text) != nil
        case .instant: Instant(iso8601: text) != nil
        case .choice(let words): words.contains(text)
        }
    }
}

extension Flag {
    /// Whether the flag changes anything about a call of a verb on a subject.
    func counts(in verb: VerbName, on subject: Subject?) -> Bool {
        if idle.contains(verb) { return false }
        guard let fitting = fits[verb], let subject else { return true }
        return fitting.contains(subject)
    }
}

/// Sees to it that no flag is taken without effect: it is refused, or said to change nothing where what it asks for holds
/// anyway.
enum FlagEffects {
    /// These ask for something that is so already.
    private static let harmless: [FlagName] = [.dryRun]

    /// Throws for the flags that say nothing about this call; returns what is to be said of the harmless ones.
    static func check(_ arguments: TypedArguments) throws(CommandError) -> [String] {
        let verb = arguments.verb
        let subject = Subject.of(arguments)
        if let alone = Flag.of(verb).first(where: { flag in
            arguments.has(flag.name) && flag.needs.map { !arguments.has($0) } ?? false
        }), let needed = alone.needs {
            throw .usage(
                verb,
                "\(alone.name.typed) changes nothing about \(verb.rawValue) without \(needed.typed)",
                todo: "add \(Flag.named(needed).synopsis(in: verb)), or leave it out"
            )
        }
        let idle = Flag.of(verb).filter { arguments.has($0.name) && !$0.counts(in: verb, on: subject) }
        let refused = idle.filter { !harmless.contains($0.name) }
        guard refused.isEmpty else {
            let names = refused.map(\.name.typed).joined(separator: ", ")
            let place = refused.allSatisfy { $0.idle.contains(verb) } ? nil : subject?.words
            throw .usage(
                verb,
                "\(names) changes nothing about \(place ?? verb.rawValue)",
                todo: "leave \(refused.count == 1 ? "it" : "them") out"
                    + refused.compactMap { elsewhere($0, verb) }.joined()
            )
        }
        return idle.map {
            "\($0.name.typed) changes nothing here: nothing is stored for \(subject?.words ?? verb.rawValue)"
        }
    }

    /// What the flag is for, where the verb has something of the kind.
    private static func elsewhere(_ flag: Flag, _ verb: VerbName) -> String? {
        guard !flag.idle.contains(verb), let fitting = flag.fits[verb], let first = fitting.first else { return nil }
        return "; \(flag.name.typed) is for \(first.words)"
    }
}

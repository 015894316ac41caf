/// One verb: the single entry that the parser, help, completions and the README's table are made from.
struct Verb: Sendable, Equatable {
    /// A command line and what it is for.
    struct Example: Sendable, Equatable {
        let purpose: String
        let command: String
    }

    let name: VerbName
    /// One line, without a full stop.
    let summary: String
    /// What follows the verb in the synopsis, its operand excepted.
    var synopsis: String = ""
    var operand: Operand?
    let description: String
    let examples: [Example]
    /// Besides those that every verb can give.
    var exitCodes: [ExitCode] = []
    /// Whether the environment and the configuration file matter to it.
    var readsSettings = true

    /// `knot-recommend run --fixture FILE [flags]`.
    var usage: String {
        // The synopsis of an operand that belongs to a flag says so itself.
        ["knot-recommend \(name.rawValue)", name == .history ? "" : operand?.synopsis ?? "", synopsis, "[flags]"]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// All codes it can give, in order.
    var allExitCodes: [ExitCode] {
        let common: [ExitCode] = [.done, .usage, .inputOutput, .interrupted, .terminated]
        let settings: [ExitCode] = readsSettings ? [.notFound, .notPermitted, .configuration] : []
        return Set(common + settings + exitCodes).sorted { $0.rawValue < $1.rawValue }
    }
}

extension Verb {
    /// In the order of `VerbName`.
    static let all = ofTheEngine + ofPipelines + ofEvaluation + ofTheDatabase + ofSupport

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    static func named(_ name: VerbName) -> Verb {
        guard let verb = byName[name] else { preconditionFailure("the verb \(name.rawValue) has no entry") }
        return verb
    }
}

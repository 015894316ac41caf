import Arguments
import Composition
import Console
import JSONDocument

extension Verb {
    static let help = Verb(
        name: .help,
        summary: "explains a verb",
        operand: Operand(kind: .choice(VerbName.allCases.map(\.rawValue)), name: "VERB", isRepeatable: false),
        description: "Prints the verbs, or everything about one of them.",
        examples: [
            Example(purpose: "everything about run", command: "knot-recommend help run"),
            Example(purpose: "the tables of the README", command: "knot-recommend help --markdown"),
            Example(purpose: "the manual page of run", command: "knot-recommend help run --man"),
        ],
        flags: [
            .markdown, .man,
        ],
        readsSettings: false,
        perform: HelpVerb.perform
    )
}

/// `help`: the verbs, or everything about one.
enum HelpVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let table = CommandTable.knot
        let verb = arguments.operands.first.flatMap(table.verb(typed:))
        if let form = [FlagName.markdown, .man].first(where: arguments.has), context.isJSON {
            throw .usage(.help, "\(form.typed) and --json exclude one another", todo: "give one of them")
        }
        if context.isJSON {
            let verbs = verb.map { [table.verb($0)] } ?? table.verbs
            try context.print(["schema": "knot.help/1", "verbs": .array(verbs.map(HelpDocument(table).json))])
        } else if arguments.has(.markdown) {
            try context.print(MarkdownTables(table).lines())
        } else if arguments.has(.man) {
            try context.print(verb.map { ManualPage(table).verb(table.verb($0)) } ?? ManualPage(table).overview())
        } else if let verb {
            let isWhole = arguments.has(.helpAll)
            try context.print(HelpText(table).verb(table.verb(verb), width: context.terminal.width, isWhole: isWhole))
        } else {
            try context.print(HelpText(table).overview(width: context.terminal.width))
        }
        return .done
    }
}

extension Verb {
    static let version = Verb(
        name: .version,
        summary: "prints the version",
        description: "Prints the version of this program and of the formats it writes.",
        examples: [
            Example(purpose: "for a person", command: "knot-recommend version"),
            Example(purpose: "for a program", command: "knot-recommend version --json"),
        ],
        readsSettings: false,
        perform: VersionVerb.perform
    )
}

/// `version`: this program and the formats it writes.
enum VersionVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        if context.isJSON {
            try context.print([
                "schema": "knot.version/1", "name": "knot-recommend", "version": .string(ProgramVersion.number),
                "formats": ["choice": "knot.choice/1", "error": "knot.error/1", "reading": "knot.reading/1"],
            ])
        } else {
            try context.print(["knot-recommend \(ProgramVersion.number)"])
        }
        return .done
    }
}

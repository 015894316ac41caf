import Arguments
import Composition
import Console
import JSONDocument
import Verbs

extension Verb {
    static let help = Verb(
        name: .help,
        summary: "Show help for a verb or an action, or list all verbs",
        uses: ["[VERB [ACTION]] [--help-all] [--man]", VerbUse("--markdown", by: .markdown)],
        operand: Operand(kind: .choice(VerbName.allCases.map(\.rawValue)), name: "VERB", isRepeatable: false),
        examples: [
            "knot-recommend help run",
            "knot-recommend help vault new # one action of a verb",
            "knot-recommend help run --man | man -l -",
        ],
        flags: [.man],
        readsSettings: false,
        perform: HelpVerb.perform
    )
}

/// `help`: the verbs, or everything about one.
enum HelpVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let table = context.table
        let verb = arguments.operands.first.flatMap(table.verb(typed:)).map(table.verb)
        let action = verb?.action(arguments.operands.dropFirst().first)
        if let form = [FlagName.markdown, .man].first(where: arguments.has), context.isJSON {
            throw .usage(.help, "\(form.typed) and --json exclude one another", todo: "give one of them")
        }
        if arguments.has(.markdown), verb != nil {
            throw .usage(
                .help,
                "--markdown changes nothing about one verb",
                todo: "leave it out, or leave out the verb"
            )
        }
        if context.isJSON {
            let verbs = verb.map { [$0] } ?? table.verbs
            try context.print(["schema": "knot.help/1", "verbs": .array(verbs.map(HelpDocument(table).json))])
        } else if arguments.has(.markdown) {
            try context.print(MarkdownReference(table).lines())
        } else if arguments.has(.man) {
            try context.print(verb.map(ManualPage(table).verb) ?? ManualPage(table).overview())
        } else if let verb {
            let (width, isWhole) = (context.terminal.width, arguments.has(.helpAll))
            try context.print(HelpText(table).page(verb, action, width: width, isWhole: isWhole))
        } else {
            try context.print(HelpText(table).overview(width: context.terminal.width))
        }
        return .done
    }
}

extension Verb {
    static let version = Verb(
        name: .version,
        summary: "Print the version of this program",
        examples: [
            "knot-recommend version",
            "knot-recommend version --json # with the versions of its formats",
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

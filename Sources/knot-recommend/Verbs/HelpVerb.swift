import JSONDocument

/// `help`: the verbs, or everything about one.
enum HelpVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) throws(CommandError) -> ExitCode {
        let verb = arguments.operands.first.flatMap(VerbName.init)
        if context.isJSON {
            let verbs = verb.map { [Verb.named($0)] } ?? Verb.all
            try context.print(["schema": "knot.help/1", "verbs": .array(verbs.map(HelpDocument.json))])
        } else if arguments.has(.markdown) {
            try context.print(MarkdownTables.lines())
        } else if let verb {
            try context.print(HelpText.verb(Verb.named(verb), width: context.terminal.width))
        } else {
            try context.print(HelpText.overview(width: context.terminal.width))
        }
        return .done
    }
}

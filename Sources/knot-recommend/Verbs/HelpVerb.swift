import JSONDocument

/// `help`: the verbs, or everything about one.
enum HelpVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) throws(CommandError) -> ExitCode {
        let verb = arguments.operands.first.flatMap(VerbName.init)
        if let form = [FlagName.markdown, .man].first(where: arguments.has), context.isJSON {
            throw .usage(.help, "\(form.typed) and --json exclude one another", todo: "give one of them")
        }
        if context.isJSON {
            let verbs = verb.map { [Verb.named($0)] } ?? Verb.all
            try context.print(["schema": "knot.help/1", "verbs": .array(verbs.map(HelpDocument.json))])
        } else if arguments.has(.markdown) {
            try context.print(MarkdownTables.lines())
        } else if arguments.has(.man) {
            try context.print(verb.map { ManualPage.verb(Verb.named($0)) } ?? ManualPage.overview())
        } else if let verb {
            let isWhole = arguments.has(.helpAll)
            try context.print(HelpText.verb(Verb.named(verb), width: context.terminal.width, isWhole: isWhole))
        } else {
            try context.print(HelpText.overview(width: context.terminal.width))
        }
        return .done
    }
}

/// `hint add|list|edit|remove`: what somebody noticed, into their vault and out of it.
enum HintVerb {
    static func perform(_ options: HintVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let given: String?
        switch options.action {
        case .add(let text): given = text
        case .list: return try await ReportVerb.perform(context.engine.listHints, options.vault, .hint, context)
        case .edit(let hint, let text):
            return try await ReportVerb.perform(context.engine.changeHint, (options.vault, hint, text), .hint, context)
        case .remove(let hint):
            return try await ReportVerb.perform(context.engine.changeHint, (options.vault, hint, nil), .hint, context)
        }
        guard let add = context.engine.addHints else { throw .notBuilt(.hint) }
        let texts = try texts(given, context)
        guard !texts.isEmpty else {
            throw .usage(
                .hint,
                "there is no hint to add",
                todo: "give --text TEXT, or one hint a line on standard input"
            )
        }
        return try await add((options.vault, texts), context).finish(context)
    }

    private static func texts(_ given: String?, _ context: CommandContext) throws(CommandError) -> [String] {
        if let given { return [given] }
        if StandardInput.isTerminal {
            try context.diagnostics.write("What did you notice? ")
            return StandardInput.line().map { [$0] }?.filter { !$0.isEmpty } ?? []
        }
        let lines = String(decoding: try StandardInput.read(), as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.map(String.init).filter { $0.contains { !$0.isWhitespace } }
    }
}

/// `hint add`: what somebody noticed, into their vault.
enum HintVerb {
    static func perform(_ options: HintVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        guard let add = context.engine.addHints else { throw .notBuilt(.hint) }
        let texts = try texts(options, context)
        guard !texts.isEmpty else {
            throw .usage(
                .hint,
                "there is no hint to add",
                todo: "give --text TEXT, or one hint a line on standard input"
            )
        }
        return try await add((options.vault, texts), context).finish(context)
    }

    private static func texts(_ options: HintVerbOptions, _ context: CommandContext) throws(CommandError) -> [String] {
        if let text = options.text { return [text] }
        if StandardInput.isTerminal {
            try context.diagnostics.write("What did you notice? ")
            return StandardInput.line().map { [$0] }?.filter { !$0.isEmpty } ?? []
        }
        let lines = String(decoding: try StandardInput.read(), as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.map(String.init).filter { $0.contains { !$0.isWhitespace } }
    }
}

import JSONDocument

/// What a verb works in: where it prints, what the terminal is like, and what the environment says.
struct CommandContext: Sendable {
    let environment: Environment
    let settings: Settings
    /// The look of standard output.
    let terminal: Terminal
    let output: any ByteSink
    let diagnostics: any ByteSink
    let engine: EngineHooks
    let isJSON: Bool
    let isQuiet: Bool
    /// What the call reads and writes; nil where nothing was typed.
    var files: CallFiles?

    /// The same with other settings, where there are any.
    func under(_ settings: Settings?) -> CommandContext {
        CommandContext(
            environment: environment,
            settings: settings ?? self.settings,
            terminal: terminal,
            output: output,
            diagnostics: diagnostics,
            engine: engine,
            isJSON: isJSON,
            isQuiet: isQuiet,
            files: files
        )
    }

    /// Prints lines on standard output, all in one piece.
    func print(_ lines: [String]) throws(CommandError) {
        ProgressLine.shared.erase()
        try output.write(lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n")
    }

    /// Prints one JSON value on standard output.
    func print(_ value: JSONValue) throws(CommandError) {
        ProgressLine.shared.erase()
        try output.write(JSONWriter.bytes(value, style: .pretty) + [0x0A])
    }

    /// Says something on standard error, unless nobody wants to hear it.
    func note(_ text: String) {
        guard !isQuiet else { return }
        ProgressLine.shared.erase()
        do throws(CommandError) {
            try diagnostics.write("note: " + TerminalText.escaped(text, limit: 400) + "\n")
        } catch {
            // A note that cannot be shown changes nothing about the result.
        }
    }

    /// Tells of something that went wrong and did not stop the rest.
    func complain(_ error: CommandError) throws(CommandError) {
        ProgressLine.shared.erase()
        try diagnostics.write(error.text)
    }

    /// Shows what is being done, on a terminal only; gone with the next output.
    func progress(_ text: String) {
        ProgressLine.shared.show(text)
    }
}

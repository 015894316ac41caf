package import Arguments
package import Console
package import JSONDocument
package import PipelineInput

/// What a verb works in: where it prints, what the terminal is like, and what the environment says.
package struct CommandContext: Sendable {
    package let environment: Environment
    package let settings: Settings
    /// The look of standard output.
    package let terminal: Terminal
    package let output: any ByteSink
    package let diagnostics: any ByteSink
    package let pipelines: Pipelines
    /// The verbs and flags of the program.
    package let table: CommandTable
    package let isJSON: Bool
    package let isQuiet: Bool
    /// What the call reads and writes; nil where nothing was typed.
    package var files: CallFiles?

    package init(
        environment: Environment,
        settings: Settings,
        terminal: Terminal,
        output: any ByteSink,
        diagnostics: any ByteSink,
        pipelines: Pipelines,
        table: CommandTable,
        isJSON: Bool,
        isQuiet: Bool,
        files: CallFiles? = nil
    ) {
        self.environment = environment
        self.settings = settings
        self.terminal = terminal
        self.output = output
        self.diagnostics = diagnostics
        self.pipelines = pipelines
        self.table = table
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.files = files
    }

    /// The same with other settings, where there are any.
    package func under(_ settings: Settings?) -> CommandContext {
        CommandContext(
            environment: environment,
            settings: settings ?? self.settings,
            terminal: terminal,
            output: output,
            diagnostics: diagnostics,
            pipelines: pipelines,
            table: table,
            isJSON: isJSON,
            isQuiet: isQuiet,
            files: files
        )
    }

    /// Prints lines on standard output, all in one piece.
    package func print(_ lines: [String]) throws(CommandError) {
        ProgressLine.shared.erase()
        try output.write(lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n")
    }

    /// Prints one JSON value on standard output.
    package func print(_ value: JSONValue) throws(CommandError) {
        ProgressLine.shared.erase()
        try output.write(JSONWriter.bytes(value, style: .pretty) + [0x0A])
    }

    /// Says something on standard error, unless nobody wants to hear it.
    package func note(_ text: String) {
        guard !isQuiet else { return }
        ProgressLine.shared.erase()
        do throws(CommandError) {
            try diagnostics.write("note: " + TerminalText.escaped(text, limit: 400) + "\n")
        } catch {
            // A note that cannot be shown changes nothing about the result.
        }
    }

    /// Tells of something that went wrong and did not stop the rest.
    package func complain(_ error: CommandError) throws(CommandError) {
        ProgressLine.shared.erase()
        try diagnostics.write(error.text)
    }

    /// Shows what is being done, on a terminal only; gone with the next output.
    package func progress(_ text: String) {
        ProgressLine.shared.show(text)
    }
}

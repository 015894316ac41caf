import FileInput
import Glibc
import JSONDocument
import VectorSearch

/// The process: prepares it, runs the command, ends with its code.
@main
struct KnotRecommend {
    static func main() async {
        SignalWatch.start()
        let tool = CommandTool(
            environment: Environment.current(),
            output: StandardStream.output,
            diagnostics: StandardStream.diagnostics,
            engine: .live
        )
        let (words, problem) = CommandWords.current()
        exit(await tool.run(words, refusing: problem).rawValue)
    }
}

/// The whole command as a function: words in, exit code out, everything it touches passed in.
struct CommandTool: Sendable {
    let environment: Environment
    let output: any ByteSink
    let diagnostics: any ByteSink
    let engine: EngineHooks

    /// Parses, calls the verb and reports what went wrong, beginning with what is wrong with the words themselves.
    func run(_ words: [String], refusing problem: CommandError? = nil) async -> ExitCode {
        do throws(CommandError) {
            if let problem { throw problem }
            guard let arguments = try ArgumentParser.parse(words) else {
                try diagnostics.write(HelpText.overview(width: 80).joined(separator: "\n") + "\n")
                return .usage
            }
            return try await perform(arguments)
        } catch {
            // `--json` is looked for in the words themselves: they may be what is wrong.
            return report(error, asJSON: words.prefix { $0 != "--" }.contains("--json"))
        }
    }

    private func perform(_ arguments: TypedArguments) async throws(CommandError) -> ExitCode {
        let remarks = try FlagEffects.check(arguments)
        guard let path = arguments.text(.output), path != "-" else {
            return try await perform(arguments, try context(for: arguments, output: output), remarks)
        }
        // All or nothing: a call that fails leaves the file as it was.
        let kept = CollectedBytes()
        let code = try await perform(arguments, try context(for: arguments, output: kept, descriptor: -1), remarks)
        try AtomicFile.write(kept.bytes, to: path)
        return code
    }

    private func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext,
        _ remarks: [String]
    ) async throws(CommandError) -> ExitCode {
        let settings = context.settings
        let kept = [WrittenFiles(environment).list, EmbedderDesk.cachePath(environment)].compactMap(\.self)
        let files = CallFiles(arguments, settings, environment)
        try files.check(kept: kept)
        var context = context
        context.files = files
        for remark in remarks { context.note(remark) }
        if let code = try await performOnDatabase(arguments, context) { return code }
        switch arguments.verb {
        case .run: return try await RunVerb.perform(RunVerbOptions(arguments, settings), context)
        case .refresh: return try await RefreshVerb.perform(RefreshVerbOptions(arguments, settings), context)
        case .explain: return try await ExplainVerb.perform(ExplainVerbOptions(arguments, settings), context)
        case .replay: return try await ReplayVerb.perform(ReplayVerbOptions(arguments, settings), context)
        case .check: return try await CheckVerb.perform(PipelineVerbOptions(arguments, settings), context)
        case .expand: return try await ExpandVerb.perform(PipelineVerbOptions(arguments, settings), context)
        case .graph: return try await GraphVerb.perform(PipelineVerbOptions(arguments, settings), context)
        case .judge: return try await JudgeVerb.perform(try JudgeVerbOptions(arguments, settings), context)
        case .evaluate: return try await EvaluateVerb.perform(EvaluateVerbOptions(arguments, settings), context)
        case .config: return try await ConfigVerb.perform(context)
        case .doctor: return try await DoctorVerb.perform(arguments, context)
        case .completions: return try await CompletionsVerb.perform(arguments, context)
        case .version: return try VersionVerb.perform(context)
        case .help: return try HelpVerb.perform(arguments, context)
        default: throw .notBuilt(arguments.verb)
        }
    }

    /// The verbs that keep vaults; nil for all others.
    private func performOnDatabase(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode? {
        let verb = arguments.verb
        let settings = context.settings
        func stored(_ hook: EngineHooks.Hook<StoredVaultOptions, TextReport>?) async throws(CommandError) -> ExitCode {
            try await ReportVerb.perform(hook, StoredVaultOptions(arguments, settings), verb, context)
        }
        switch verb {
        case .migrate:
            return try await ReportVerb.perform(engine.migrate, MigrateVerbOptions(arguments, settings), verb, context)
        case .devDatabase:
            let options = try DevDatabaseVerbOptions(arguments, settings)
            return try await ReportVerb.perform(engine.devDatabase, options, verb, context)
        case .importVaults:
            let options = try ImportVerbOptions(arguments, settings)
            return try await ReportVerb.perform(engine.importVaults, options, verb, context)
        case .export: return try await ExportVerb.perform(StoredVaultOptions(arguments, settings), context)
        case .history:
            let options = try HistoryVerbOptions(arguments, settings)
            guard let history = engine.history else { throw .notBuilt(.history) }
            return try await history(options, context).finish(context, as: options.format)
        case .forget: return try await ForgetVerb.perform(StoredVaultOptions(arguments, settings), context)
        case .learn: return try await stored(engine.learn)
        case .embed: return try await stored(engine.embed)
        case .feedback:
            let options = try FeedbackVerbOptions(arguments, settings)
            return try await ReportVerb.perform(engine.giveFeedback, options, verb, context)
        case .vault: return try await VaultVerb.perform(VaultVerbOptions(arguments, settings), context)
        case .hint: return try await HintVerb.perform(HintVerbOptions(arguments, settings), context)
        default: return nil
        }
    }

    /// Lays the settings over one another; `doctor` and the verbs without settings work with a broken configuration too.
    ///
    /// The descriptor decides how the output looks; below 0 it is a file.
    private func context(
        for arguments: TypedArguments,
        output: any ByteSink,
        descriptor: Int32 = 1
    ) throws(CommandError) -> CommandContext {
        let settings: Settings
        let readsSettings = Verb.named(arguments.verb).readsSettings || arguments.has(.offer)
        if readsSettings, arguments.verb != .doctor {
            settings = try Settings(arguments, environment: environment, file: ConfigFile.load(environment))
        } else {
            // Only what decides the look of the output.
            let look = ["NO_COLOR"].reduce(into: [:]) { $0[$1] = environment[$1] }
            settings = try Settings(arguments, environment: Environment(look), file: nil)
        }
        let shared = SharedOptions(arguments, settings)
        let isQuiet = shared.isQuiet || shared.isJSON
        let screen = Terminal(descriptor: 2, environment: environment, colour: shared.colour)
        if !isQuiet, screen.canRewrite { ProgressLine.shared.enable(width: screen.width) }
        try useKernels(shared.kernels)
        return CommandContext(
            environment: environment,
            settings: settings,
            terminal: Terminal(descriptor: descriptor, environment: environment, colour: shared.colour),
            output: output,
            diagnostics: diagnostics,
            engine: engine,
            isJSON: shared.isJSON,
            isQuiet: shared.isQuiet
        )
    }

    /// Before anything is computed: all of a process is computed with the same kernels.
    private func useKernels(_ choice: KernelChoice) throws(CommandError) {
        guard choice != .auto else { return }
        let isUsed: Bool
        do throws(VectorSearchError) {
            isUsed = try Kernels.prefer(choice.rawValue)
        } catch {
            throw CommandError(.configuration, "\(error)", at: "--kernels", todo: "use --kernels auto")
        }
        guard isUsed else {
            throw CommandError(.internalFault, "other kernels are in use already", at: "--kernels", todo: "report it")
        }
    }

    private func report(_ error: CommandError, asJSON: Bool) -> ExitCode {
        ProgressLine.shared.erase()
        guard error.code != .done else { return .done }
        do throws(CommandError) {
            try diagnostics.write(error.text)
            if asJSON {
                try output.write(ErrorDocument.bytes(error))
            }
        } catch {
            // Nobody is left to tell; the exit code still does.
        }
        return error.code
    }
}

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

/// The words after the program's name, as the system handed them over.
enum CommandWords {
    /// The words, and what is wrong with those that no text can hold: a path that was changed on the way is another path.
    static func current() -> (words: [String], problem: CommandError?) {
        var words: [String] = []
        var odd: [(place: Int, text: String)] = []
        // The system's own array: so many pointers, each to bytes that end with a zero and live as long as the process.
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = unsafe CommandLine.unsafeArgv[place] else { continue }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
            if let word = String(validating: bytes, as: UTF8.self) {
                words.append(word)
            } else {
                odd.append((place, OddText.written(bytes)))
                words.append(OddText.written(bytes))
            }
        }
        guard let first = odd.first else { return (words, nil) }
        return (
            words,
            CommandError(
                .usage,
                "a word of the command is not UTF-8: \(first.text)",
                at: "word \(first.place)",
                todo: "give the file a name in UTF-8, or hand it over as - on standard input"
            )
        )
    }
}

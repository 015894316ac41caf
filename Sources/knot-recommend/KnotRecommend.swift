import Arguments
import Composition
import Console
import Glibc
import JSONDocument
import PipelineInput
import VectorSearch
import Verbs

/// The process: prepares it, runs the command, ends with its code.
@main
struct KnotRecommend {
    static func main() async {
        forbidCoreFiles()
        SignalWatch.start()
        let tool = CommandTool(
            environment: Environment.current(),
            output: StandardStream.output,
            diagnostics: StandardStream.diagnostics
        )
        let (words, problem) = CommandWords.current()
        // Of the process, so it is no verb's to decide: tests call many in one process.
        if words.first == "run", !words.contains("--all") { ProcessHeap.keepForOneAnswer() }
        // All that is said is written by then. Other threads may be at work still, and libraries that take their tables down
        // at the end of a process would do it under them.
        _exit(await tool.run(words, refusing: problem).rawValue)
    }

    /// Prevents core files, which would hold keys and notes.
    private static func forbidCoreFiles() {
        var limit = rlimit()
        let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        guard unsafe getrlimit(core, &limit) == 0 else { return }
        // No core fits into one byte. Where a program collects cores, the system ignores a limit of zero, and heeds this one.
        limit = rlimit(rlim_cur: min(1, limit.rlim_max), rlim_max: min(1, limit.rlim_max))
        _ = unsafe setrlimit(core, &limit)
    }
}

/// The whole command as a function: words in, exit code out, everything it touches passed in.
struct CommandTool: Sendable {
    let environment: Environment
    let output: any ByteSink
    let diagnostics: any ByteSink
    var pipelines = Pipelines.shipped
    /// What takes the place of a verb of this build, for tests.
    var verbs: [Verb] = []

    /// Parses, calls the verb and reports what went wrong, beginning with what is wrong with the words themselves.
    func run(_ words: [String], refusing problem: CommandError? = nil) async -> ExitCode {
        do throws(CommandError) {
            if let problem { throw problem }
            guard let arguments = try ArgumentParser.parse(words, .knot) else {
                try diagnostics.write(HelpText(.knot).overview(width: 80).joined(separator: "\n") + "\n")
                return .usage
            }
            let remarks = try FlagEffects.check(arguments, .knot)
            // All or nothing: a call that fails leaves the file as it was.
            let path = arguments.text(.output).flatMap { $0 == "-" ? nil : $0 }
            let collected = path.map { _ in CollectedBytes() }
            var context = try context(for: arguments, output: collected ?? output, descriptor: path == nil ? 1 : -1)
            let files = CallFiles(arguments, context.settings, environment)
            let kept = [WrittenFiles(environment).list].compactMap(\.self) + ModelSetup.cachePaths(environment)
            try files.check(kept: kept)
            context.files = files
            let verb = verbs.first { $0.name == arguments.verb } ?? Verb.named(arguments.verb)
            let ofKeys = verb.readsSettings ? KeyFiles.remarks(environment) : []
            for remark in remarks + ofKeys { context.note(remark) }
            let code = try await verb.perform(arguments, context)
            if let path, let collected { try AtomicFile.write(collected.bytes, to: path) }
            return code
        } catch {
            // `--json` is looked for in the words themselves: they may be what is wrong.
            return report(error, asJSON: words.prefix { $0 != "--" }.contains("--json"))
        }
    }

    /// Lays the settings over one another; `doctor` and the verbs without settings work with a broken configuration too.
    ///
    /// The descriptor decides how the output looks; below 0 it is a file.
    private func context(
        for arguments: TypedArguments,
        output: any ByteSink,
        descriptor: Int32
    ) throws(CommandError) -> CommandContext {
        let settings: Settings
        let readsSettings = Verb.named(arguments.verb).readsSettings || arguments.has(.offer)
        if readsSettings, arguments.verb != .doctor {
            settings = try Settings(
                arguments,
                environment: environment,
                file: ConfigFile.load(environment, .knot),
                .knot
            )
        } else {
            // Only what decides the look of the output.
            let look = ["NO_COLOR"].reduce(into: [:]) { $0[$1] = environment[$1] }
            settings = try Settings(arguments, environment: Environment(look), file: nil, .knot)
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
            pipelines: pipelines,
            table: .knot,
            isJSON: shared.isJSON,
            isQuiet: shared.isQuiet
        )
    }

    /// Before anything is computed: all of a process is computed with the same kernels.
    private func useKernels(_ choice: KernelChoice) throws(CommandError) {
        guard case .named(let name) = choice else { return }
        let isUsed: Bool
        do throws(VectorSearchError) {
            isUsed = try Kernels.prefer(name)
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

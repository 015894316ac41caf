import Evaluation
import JSONDocument
import Recommendation
import VaultStore

/// `run --all`: every vault of the database, in memory that does not grow with their number.
///
/// While some are chosen for, a few that come after are read, and a few that went before are stored.
struct BatchDesk: Sendable {
    /// The worker's role may have 24, and others want some too.
    private static let mostConnections = 20

    let pipelines: PipelineDesk

    init(_ pipelines: PipelineDesk) {
        self.pipelines = pipelines
    }

    func report(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> TextReport {
        guard case .everyVault(let vaults) = options.subject else { throw .notBuilt(.run) }
        let threads = options.shared.threads ?? MachineCores.count
        let chosenAtOnce = vaults.concurrency ?? min(2 * threads, 8)
        let vaultDesk = try await VaultDesk(
            pipelines,
            options.shared,
            vaults,
            context,
            connections: min(chosenAtOnce + 4, Self.mostConnections),
            plansOnce: true
        )
        let start = ContinuousClock.now
        let board = BatchBoard(total: try await vaultDesk.count()) { context.progress($0) }
        let work = BatchWork(
            vaultDesk,
            VaultRequest(occasion: options.occasion, request: options.request, output: options.output),
            options.shared,
            threads: threads,
            chosenAtOnce: chosenAtOnce,
            on: board
        )
        await work.run()
        let tally = board.tally
        if let error = tally.stoppedBy { throw error.after(tally) }
        let took = options.output.wantsTimings ? ContinuousClock.now - start : nil
        return tally.report(
            isStrict: options.shared.isStrict,
            isDryRun: options.output.isDryRun,
            isVerbose: options.shared.isVerbose,
            took: took
        )
    }
}

/// Every verb whose answer is one report: it does what was asked and prints the form that was asked for.
enum ReportVerb {
    static func perform<Options>(
        _ hook: EngineHooks.Hook<Options, TextReport>?,
        _ options: Options,
        _ verb: VerbName,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let hook else { throw .notBuilt(verb) }
        return try await hook(options, context).finish(context)
    }
}

/// An answer in both forms: as text for people and as one JSON value.
struct TextReport: Sendable {
    let json: JSONValue
    /// Lines that are safe to print, of at most 80 columns.
    let lines: [String]
    var exitCode = ExitCode.done
    /// The same for other programs that know tables only; nil where there is none.
    var table: CSVTable?
}

extension TextReport {
    /// Prints the form that was asked for and gives the report's own exit code.
    func finish(_ context: CommandContext, as format: TableFormat = .text) throws(CommandError) -> ExitCode {
        if format == .csv, let table {
            ProgressLine.shared.erase()
            try context.output.write(table.text)
        } else if context.isJSON {
            try context.print(json)
        } else {
            try context.print(lines)
        }
        return exitCode
    }
}

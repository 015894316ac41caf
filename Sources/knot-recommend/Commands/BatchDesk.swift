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

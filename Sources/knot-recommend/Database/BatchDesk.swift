import JSONDocument
import KnotDomain
import Recommendation
import VaultStore

/// `run --all`: every vault of the database, a few side by side, in memory that does not grow with their number.
///
/// While some are chosen for, a few that come after are read, and a few that went before are stored.
struct BatchDesk: Sendable {
    private static let page = 500
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
        let turns = ChoosingTurns(chosenAtOnce)
        let connections = min(chosenAtOnce + 4, Self.mostConnections)
        let lanes = chosenAtOnce + connections + 2
        let vaultDesk = try await VaultDesk(
            pipelines,
            options.shared,
            vaults,
            context,
            connections: connections,
            plansOnce: true
        )
        let choiceDesk = ChoiceDesk(options.shared)
        let start = ContinuousClock.now
        let asked = VaultRequest(occasion: options.occasion, request: options.request, output: options.output)
        let total = try await vaultDesk.count()
        var tally = BatchTally(total: total)
        var pages = VaultPages(desk: vaultDesk, size: Self.page)
        try await withThrowingBatch(lanes: lanes, tally: &tally, pages: &pages, context) { id in
            await Self.made(id, asked, vaultDesk, choiceDesk, turns, options.shared)
        }
        if let error = tally.stoppedBy { throw error.after(tally) }
        let took = options.output.wantsTimings ? ContinuousClock.now - start : nil
        return tally.report(isStrict: options.shared.isStrict, isDryRun: options.output.isDryRun, took: took)
    }

    /// Keeps the lanes busy until the last vault, or until the database cannot go on.
    private func withThrowingBatch(
        lanes: Int,
        tally: inout BatchTally,
        pages: inout VaultPages,
        _ context: CommandContext,
        _ make: @escaping @Sendable (VaultID) async -> BatchTally.Ending
    ) async throws(CommandError) {
        let result: Result<(BatchTally, VaultPages), CommandError> = await withTaskGroup(
            of: (VaultID, BatchTally.Ending).self
        ) { [tally, pages] group in
            var (tally, pages) = (tally, pages)
            var underWay = 0
            var problem: CommandError?
            while true {
                while underWay < lanes, problem == nil, tally.stoppedBy == nil {
                    do throws(CommandError) {
                        guard let id = try await pages.next() else { break }
                        underWay += 1
                        group.addTask { (id, await make(id)) }
                    } catch {
                        problem = error
                    }
                }
                guard let (id, ending) = await group.next() else { break }
                underWay -= 1
                tally.count(ending, of: id)
                context.progress(tally.progress)
            }
            if let problem { tally.stoppedBy = tally.stoppedBy ?? problem }
            return .success((tally, pages))
        }
        (tally, pages) = try result.get()
    }

    /// A value instead of an error, so that the turn is given back in every case.
    private static func performed(
        _ job: ChoiceJob,
        _ desk: ChoiceDesk,
        _ shared: SharedOptions
    ) async -> Result<EngineRun, CommandError> {
        do throws(CommandError) {
            return .success(try await desk.perform(job, shared).run)
        } catch {
            return .failure(error)
        }
    }

    private static func made(
        _ id: VaultID,
        _ asked: VaultRequest,
        _ vaultDesk: VaultDesk,
        _ choiceDesk: ChoiceDesk,
        _ turns: ChoosingTurns,
        _ shared: SharedOptions
    ) async -> BatchTally.Ending {
        let start = ContinuousClock.now
        do throws(CommandError) {
            switch try await vaultDesk.prepared(id.text, asked) {
            case .answered(let report): return .answered(outcome: report.result["outcome"]?.string ?? "")
            case .job(let job):
                let read = ContinuousClock.now
                await turns.enter()
                let begun = ContinuousClock.now
                let performed = await Self.performed(job, choiceDesk, shared)
                turns.leave()
                let chosen = ContinuousClock.now
                let ending = try await choiceDesk.ending(performed.get(), of: job)
                return .made(
                    outcome: ending.outcome,
                    isStored: ending.isStored,
                    BatchTimes(
                        reading: read - start,
                        waiting: begun - read,
                        choosing: chosen - begun,
                        storing: .now - chosen
                    )
                )
            }
        } catch {
            return .failed(error)
        }
    }
}

import JSONDocument
import KnotDomain
import Recommendation
import VaultStore

/// `run --all`: every vault of the database, a few side by side, in memory that does not grow with their number.
struct BatchDesk: Sendable {
    private static let page = 500

    let pipelines: PipelineDesk

    init(_ pipelines: PipelineDesk) {
        self.pipelines = pipelines
    }

    func report(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> TextReport {
        guard case .everyVault(let vaults) = options.subject else { throw .notBuilt(.run) }
        let threads = options.shared.threads ?? MachineCores.count
        // A run waits for the database about as long as it computes.
        let lanes = min(2 * threads, 32)
        let vaultDesk = try await VaultDesk(pipelines, options.shared, vaults, context, connections: lanes)
        let choiceDesk = ChoiceDesk(options.shared)
        let asked = VaultRequest(occasion: options.occasion, request: options.request, output: options.output)
        let total = try await vaultDesk.count()
        var tally = BatchTally(total: total)
        var pages = VaultPages(desk: vaultDesk, size: Self.page)
        try await withThrowingBatch(lanes: lanes, tally: &tally, pages: &pages, context) { id in
            await Self.made(id, asked, vaultDesk, choiceDesk, options.shared)
        }
        if let error = tally.stoppedBy { throw error.after(tally) }
        return tally.report(isStrict: options.shared.isStrict, isDryRun: options.output.isDryRun)
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

    private static func made(
        _ id: VaultID,
        _ asked: VaultRequest,
        _ vaultDesk: VaultDesk,
        _ choiceDesk: ChoiceDesk,
        _ shared: SharedOptions
    ) async -> BatchTally.Ending {
        do throws(CommandError) {
            switch try await vaultDesk.prepared(id.text, asked) {
            case .answered(let report): return .answered(outcome: report.result["outcome"]?.string ?? "")
            case .job(let job):
                let (run, _) = try await choiceDesk.perform(job, shared)
                let (result, _) = try await choiceDesk.kept(run, of: job)
                return .made(outcome: result["outcome"]?.string ?? "", isStored: result["stored"]?.bool ?? false)
            }
        } catch {
            return .failed(error)
        }
    }
}

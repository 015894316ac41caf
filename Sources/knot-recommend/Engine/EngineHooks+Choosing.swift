import Recommendation
import StageGraph

extension EngineHooks {
    /// Adds the verbs that choose: run, refresh and replay.
    mutating func addChoosing(_ pipelines: PipelineDesk) {
        run = { (options, context) async throws(CommandError) in
            Engine.prepareLexicon()
            var job: ChoiceJob
            var desk: VaultDesk?
            switch options.subject {
            case .fixture(let fixture):
                job = try FixtureDesk(pipelines: pipelines).job(
                    fixture,
                    options.shared,
                    occasion: options.occasion,
                    context
                )
            case .vault(let id, let vault):
                let vaults = try await VaultDesk(pipelines, options.shared, vault, context)
                desk = vaults
                let asked = VaultRequest(occasion: options.occasion, request: options.request, output: options.output)
                switch try await vaults.prepared(id, asked) {
                case .answered(let report): return report
                case .job(let prepared): job = prepared
                }
            case .everyVault:
                throw .usage(.run, "--all makes no single choice", todo: "use --vault ID")
            }
            job.ports.request.cards = options.cards
            var report = try await ChoiceDesk(options.shared).report(job, options.shared, options.output, context)
            report.isStillThere = desk?.presence(of: job.ports.request.vaultID)
            return report
        }
        runAll = { (options, context) async throws(CommandError) in
            try await BatchDesk(pipelines).report(options, context)
        }
        refresh = { (options, context) async throws(CommandError) in
            let job: ChoiceJob
            var desk: VaultDesk?
            switch options.source {
            case .result(let path, let fixture):
                let previous = try PreviousResult.read(path, options)
                job = try FixtureDesk(pipelines: pipelines).job(
                    fixture,
                    options.shared,
                    occasion: previous.occasion,
                    refresh: previous.refresh,
                    context
                )
            case .run(let id, let vault):
                let vaults = try await VaultDesk(pipelines, options.shared, vault, context)
                desk = vaults
                switch try await vaults.refreshing(id, options) {
                case .answered(let report): return report
                case .job(let prepared): job = prepared
                }
            }
            var report = try await ChoiceDesk(options.shared).report(job, options.shared, options.output, context)
            report.isStillThere = desk?.presence(of: job.ports.request.vaultID)
            return report
        }
        replay = { (options, context) async throws(CommandError) in
            try await ReplayDesk(pipelines: pipelines).replay(options, context)
        }
    }
}

import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

extension EngineHooks {
    /// Adds the verbs that choose: run, refresh and replay.
    mutating func addChoosing(_ pipelines: PipelineDesk) {
        let desk = FixtureDesk(pipelines: pipelines)
        run = { (options, context) async throws(CommandError) in
            let job = try desk.job(options.fixture, options.shared, occasion: options.occasion)
            return try await Self.choose(job, options.fixture.path, options.shared, options.output, desk, context)
        }
        refresh = { (options, context) async throws(CommandError) in
            let (refresh, occasion) = try PreviousResult.read(options)
            let job = try desk.job(options.fixture, options.shared, occasion: occasion, refresh: refresh)
            return try await Self.choose(job, options.fixture.path, options.shared, options.output, desk, context)
        }
        replay = { (options, context) async throws(CommandError) in
            try await ReplayDesk(pipelines: pipelines).replay(options, context)
        }
    }

    private static func choose(
        _ job: FixtureDesk.Job,
        _ path: String,
        _ shared: SharedOptions,
        _ output: OutputOptions,
        _ desk: FixtureDesk,
        _ context: CommandContext
    ) async throws(CommandError) -> ChoiceReport {
        let (run, effects) = try await desk.perform(job, shared, records: output.record != nil, context: context)
        var report = try ChoiceReport(
            run,
            inputDigest: job.fixtureCase.digest,
            input: path,
            wantsTimings: output.wantsTimings,
            wantsTrace: output.trace != nil
        )
        if output.record != nil {
            let request = RecordedRequest(
                request: job.ports.request,
                reader: job.ports.reader.name,
                rates: job.ports.rates,
                inputDigest: job.fixtureCase.digest
            )
            report.record = Cassette(
                plan: job.plan.definition,
                request: request.json,
                seed: shared.seed,
                effects: effects
            ).ndjson()
        }
        if output.wantsExplanation {
            let explanation = RunExplanation(run, showsHints: shared.isVerbose)
            report.explanation = explanation.lines()
            report.explanationJSON = explanation.json()
        }
        for id in job.fixtureCase.fixture.duplicateCandidates {
            report.notes.append("candidate \(id) occurs more than once in \(path); the first one counts")
        }
        return report
    }
}

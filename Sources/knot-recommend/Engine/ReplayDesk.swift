import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Runs recordings again: effects are answered from the recording and never performed, stages always run.
struct ReplayDesk: Sendable {
    let pipelines: PipelineDesk

    /// A recording, read and understood.
    struct Tape: Sendable {
        let cassette: Cassette
        let recorded: RecordedRequest

        init(_ path: String) throws(CommandError) {
            let bytes = try InputFile.read(path)
            do throws(CassetteError) {
                cassette = try Cassette(ndjson: bytes)
            } catch {
                throw CommandError(
                    .badInput,
                    "\(error.message) (line \(error.line))",
                    at: path,
                    todo: "record the run again"
                )
            }
            let reader = JSONReader(cassette.request, path: "$.request")
            guard let recorded = RecordedRequest(reading: reader) else {
                throw CommandError(
                    .badInput,
                    "the recording's request cannot be read",
                    at: path,
                    todo: "record the run again",
                    problems: reader.problems.list.map { CommandProblem(file: path, $0) }
                )
            }
            self.recorded = recorded
        }

        var ports: StagePorts {
            let world = UnpluggedWorld(readerName: recorded.reader)
            return StagePorts(
                request: recorded.request,
                vaults: world,
                reader: world,
                providers: Dictionary(
                    uniqueKeysWithValues: ProviderName.allCases.map { ($0, world as any CandidateProvider) }
                ),
                checker: world,
                embedder: recorded.embedder.map { UnpluggedEmbedder(model: $0) },
                zones: ZoneCache(),
                rates: recorded.rates,
                clock: world,
                sink: world
            )
        }
    }

    func replay(
        _ options: ReplayVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ChoiceReport {
        let tape = try Tape(options.cassette)
        let plan = try plan(for: tape, options)
        let run = try await run(
            tape,
            plan,
            seed: options.seed ?? tape.cassette.seed,
            threads: options.shared.threads,
            deadline: options.shared.deadline
        )
        return try ChoiceReport(
            run,
            inputDigest: tape.recorded.inputDigest,
            input: options.cassette,
            wantsTimings: options.wantsTimings,
            traceTexts: options.trace.map { _ in options.wantsTraceTexts ? .none : .vaultTexts }
        )
    }

    func run(
        _ tape: Tape,
        _ plan: Plan,
        seed: UInt64,
        threads: Int?,
        deadline: Duration?
    ) async throws(CommandError) -> EngineRun {
        var runOptions = RunOptions(seed: seed, subject: tape.recorded.request.vaultID.text, deadline: deadline)
        runOptions.effects = .replaying(CassettePlayer(tape.cassette))
        do throws(PipelineError) {
            return try await Engine(threads: threads ?? MachineCores.count).report(
                plan,
                ports: tape.ports,
                options: runOptions
            )
        } catch {
            throw PipelineDesk.failure(error, in: .standard)
        }
    }

    /// The recorded plan, unless another pipeline was typed; experiments and settings are laid over either.
    private func plan(for tape: Tape, _ options: ReplayVerbOptions) throws(CommandError) -> Plan {
        if let pipeline = options.pipeline {
            return try pipelines.plan(pipeline, experiment: options.experiment, settings: options.shared.parameters)
        }
        return try pipelines.plan(
            recorded: tape.cassette.plan,
            in: options.cassette,
            experiment: options.experiment,
            settings: options.shared.parameters
        )
    }
}

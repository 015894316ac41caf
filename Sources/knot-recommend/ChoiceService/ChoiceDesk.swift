import Explanation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import VaultStore

/// Runs prepared jobs and sees to what becomes of their sets: one path, for fixtures and the database alike.
struct ChoiceDesk: Sendable {
    /// What storing a finished set may take.
    private static let storingLimit = Duration.seconds(30)

    let engine: Engine

    init(_ shared: SharedOptions) {
        self.init(threads: shared.threads ?? MachineCores.count)
    }

    init(threads: Int) {
        engine = Engine(threads: threads)
    }

    /// Runs a job; the stages have threads of their own, so waiting here starves nobody.
    func perform(
        _ job: ChoiceJob,
        _ shared: SharedOptions,
        records: Bool = false,
        progress: (@Sendable (String) -> Void)? = nil
    ) async throws(CommandError) -> (run: EngineRun, effects: [RecordedEffect]) {
        let recorder = records ? EffectRecorder() : nil
        var options = RunOptions(
            seed: job.seed ?? shared.seed,
            subject: job.ports.request.vaultID.text,
            deadline: job.budget?.forRun ?? shared.deadline
        )
        if let recorder { options.effects = .recording(recorder) }
        if let progress {
            let steps = RunSteps(job.plan)
            options.onProgress = { now in
                if let line = steps.line(after: now.step, of: now.node) { progress(line) }
            }
        }
        do throws(PipelineError) {
            let run = try await engine.report(job.plan, ports: job.ports, options: options)
            return (run, recorder?.recorded(inOrderOf: job.plan.nodes.map(\.id)) ?? [])
        } catch {
            throw PipelineDesk.failure(error, in: shared.pipeline)
        }
    }

    /// Runs a job on the calling thread, which waits for it and must not be one of the shared pool.
    func run(_ job: ChoiceJob, _ shared: SharedOptions) throws(CommandError) -> EngineRun {
        let options = RunOptions(
            seed: shared.seed,
            subject: job.ports.request.vaultID.text,
            deadline: job.budget?.forRun ?? shared.deadline
        )
        do throws(PipelineError) {
            return try engine.run(job.plan, ports: job.ports, options: options)
        } catch {
            throw PipelineDesk.failure(error, in: shared.pipeline)
        }
    }

    /// Runs a job, keeps its set where it is to be kept, and reports all of it.
    func report(
        _ job: ChoiceJob,
        _ shared: SharedOptions,
        _ output: OutputOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ChoiceReport {
        let (run, effects) = try await perform(job, shared, records: output.record != nil) { context.progress($0) }
        let (result, notes) = try await kept(run, of: job)
        var report = ChoiceReport(
            result: output.wantsTimings ? TimingsDocument.added(to: result, run.report) : result,
            trace: output.trace.map { _ in
                run.report.trace.ndjson(redaction: output.wantsTraceTexts ? .none : .vaultTexts)
            },
            notes: job.notes + notes
        )
        if output.record != nil {
            let request = RecordedRequest(
                request: job.ports.request,
                name: job.keeping.request.map { RecordedRequest.Name(kind: $0.kind, request: $0.request) },
                reader: job.ports.reader.name,
                rates: job.ports.rates,
                inputDigest: job.inputDigest,
                embedder: job.ports.embedder?.model,
                profile: job.ports.embedder?.profile
            )
            report.record = Cassette(
                plan: job.plan.definition,
                request: request.json,
                seed: shared.seed,
                effects: effects
            ).ndjson()
        }
        if case .fixture = job.keeping {} else { report.isOfTheDatabase = true }
        if output.wantsExplanation {
            let explanation = RunExplanation(run, showsHints: true)
            report.explanation = explanation.lines()
            report.explanationJSON = explanation.json()
        }
        return report
    }

    /// The result as it is printed: for a stored set, what the database has of it now.
    func kept(_ run: EngineRun, of job: ChoiceJob) async throws(CommandError) -> (JSONValue, notes: [String]) {
        let choices: ChoiceOfThree
        switch run.result {
        case .failure(let failure): throw CommandError(failure, at: run.report.failedNode, input: job.input)
        case .success(let set): choices = set
        }
        switch job.keeping {
        case .fixture:
            let identity = FixtureDesk.identity(run, inputDigest: job.inputDigest, choices)
            return (try Self.document(run, identity, job.input), [])
        case .dryRun(let request):
            return (try Self.document(run, request.identity(of: choices.brief), job.input), [])
        case .database(let sink, let request):
            let set: StoredSet?
            do throws(ChoiceStoreError) {
                let budget = job.budget ?? .unlimited
                set = try await sink.finish(
                    run,
                    until: budget.until(Self.storingLimit, atLeast: TimeBudget.storing)
                )
            } catch {
                throw CommandError(error, input: job.input)
            }
            guard let set else { return (try Self.document(run, request.identity(of: choices.brief), job.input), []) }
            let (result, notes) = try Self.stored(set, for: job.ports.request.refresh)
            guard job.ports.request.cards > RunRequest.ofOneSet else { return (result, notes) }
            guard set.isNew, var object = result.object else {
                return (result, notes + ["further cards are not stored; ask without --request to see some"])
            }
            object["further"] = try Self.document(run, request.identity(of: choices.brief), job.input)["further"]
            return (.object(object), notes)
        }
    }

    /// A stored set as it was first printed, with a note where it is an earlier one.
    ///
    /// A set has one re-roll, which is for whoever turns down the same for the same reasons.
    static func stored(
        _ set: StoredSet,
        for refresh: RefreshRequest? = nil
    ) throws(CommandError) -> (JSONValue, notes: [String]) {
        let result = try StoredResult(set.result, run: set.runID, vault: set.vault).document
        guard !set.isNew else { return (result, []) }
        if let refresh, let first = JSONReader(result).optional("refresh").flatMap(RefreshDocument.read),
            !first.rejectsTheSame(as: refresh)
        {
            throw .refreshKnown(first, as: set.runID)
        }
        let pipeline = set.isOfAnotherPipeline ? ", made with \(set.pipelineName) (\(set.pipelineHash.prefix(12)))" : ""
        return (result, ["this request was answered before; the first set is shown\(pipeline)"])
    }

    private static func document(
        _ run: EngineRun,
        _ identity: RunIdentity,
        _ input: String
    ) throws(CommandError) -> JSONValue {
        guard let document = ChoiceDocument(run) else {
            throw CommandError(.internalFault, "a finished run has no result", at: input, todo: "report it")
        }
        return document.json(identity: identity)
    }
}

/// A prepared run, whatever world it is about: what the stages get, and what becomes of the set.
struct ChoiceJob: Sendable {
    /// What gives the set its identity, and whether it is kept.
    enum Keeping: Sendable {
        /// Nowhere: the digest of everything that was read makes the identity.
        case fixture
        /// Nowhere, but under the identity that it would be stored with.
        case dryRun(WriteRequest)
        case database(PostgresChoiceSink, WriteRequest)

        /// Under what the set is stored, or would be.
        var request: WriteRequest? {
            switch self {
            case .fixture: nil
            case .dryRun(let request), .database(_, let request): request
            }
        }
    }

    let plan: Plan
    var ports: StagePorts
    /// The file or the vault, for errors.
    let input: String
    /// SHA-256 of everything that was read before the run.
    let inputDigest: String
    let keeping: Keeping
    /// The seed of a run that is done again; nil: the one asked for.
    var seed: UInt64?
    /// Of a vault in the database, whose reading takes of the same time.
    var budget: TimeBudget?
    /// Things to say on standard error that belong to no result.
    var notes: [String] = []
}

extension ChoiceDesk {
    /// Keeps a finished run's set and says how it ended, without the result that nobody prints.
    func ending(
        _ run: EngineRun,
        of job: ChoiceJob
    ) async throws(CommandError) -> (outcome: String, isStored: Bool) {
        if case .database(let sink, _) = job.keeping, case .success = run.result {
            let set: StoredSet?
            do throws(ChoiceStoreError) {
                let budget = job.budget ?? .unlimited
                set = try await sink.finish(run, until: budget.until(.seconds(30), atLeast: TimeBudget.storing))
            } catch {
                throw CommandError(error, input: job.input)
            }
            guard let set, !set.isNew else { return (run.outcome.rawValue, set != nil) }
            let (result, _) = try Self.stored(set)
            return (result["outcome"]?.string ?? "", true)
        }
        let (result, _) = try await kept(run, of: job)
        return (result["outcome"]?.string ?? "", result["stored"]?.bool ?? false)
    }
}

/// Where a dry run's set goes: nowhere.
struct DiscardingSink: ChoiceSink {
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { false }
}

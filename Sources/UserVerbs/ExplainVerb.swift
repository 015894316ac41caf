import Arguments
import ChoiceService
import Composition
import Console
import Explanation
import Fixtures
import JSONDocument
import KnotDomain
import PipelineInput
import PostgresClient
import Recommendation
import StageGraph
import Verbs

extension Verb {
    static let explain = Verb(
        name: .explain,
        summary: "Explain why a set was chosen, or why an offer wasn't",
        uses: [
            VerbUse(
                "--fixture FILE [--candidate ID] [options]",
                by: .fixture,
                flags: [.milestone, .occasion, .readings, .rates, .asOf]
            ),
            VerbUse(
                "--run ID [--candidate ID] [options]",
                by: .run,
                flags: [.readings, .rates, .asUser, .catalogue, .allowWeakTLS]
            ),
            VerbUse("--record FILE [--candidate ID] [options]", by: .record, without: [.pipeline, .seed, .model]),
        ],
        description: """
            Without `--candidate`, shows the evidence and weights behind the set. With it, follows one offer through \
            the stages. It also finds the smallest single change of a weight, threshold or filter that would have \
            chosen the offer. If a stored run can't be repeated, shows the set as it was stored.
            """,
        examples: [
            "knot-recommend explain --run $RUN # why these three?",
            "knot-recommend explain --run $RUN --candidate c07 # why not this one?",
        ],
        flags: [.candidate],
        texts: [
            .run: "Stored run to explain (see `history`)",
            .record: "Recording to explain, made with `run --record`",
            .milestone: "With `--fixture`: milestone to choose for; not with `--occasion`",
            .occasion: "With `--fixture`: kind of occasion to choose for; not with `--milestone`",
            .asOf: "With `--fixture`: time to choose at",
            .catalogue: "With `--run`: more offers, from a file of JSON lines or a folder made by `catalogue build`",
        ],
        exitCodes: running,
        perform: ExplainVerb.perform
    )
}

/// `explain`: why these three, or why not another.
enum ExplainVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try ExplainVerbOptions(arguments, context.settings)
        context.progress("explaining")
        return try await report(options, context).finish(context)
    }

    /// One candidate's life and the smallest change that would have chosen it; without a candidate, why these three.
    private static func report(
        _ options: ExplainVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let subject = try await ExplainedRun(options, context)
        if let caveat = subject.caveat { context.note(caveat) }
        let explanation = RunExplanation(subject.run, showsHints: true)
        if let stored = subject.stored, options.candidate.map(stored.shows) ?? true {
            return TextReport(json: stored.json, lines: stored.lines())
        }
        guard let candidate = options.candidate else {
            return TextReport(json: explanation.json(), lines: explanation.lines())
        }
        context.progress("looking for the smallest change that would have chosen \(candidate)")
        do throws(UnknownCandidateError) {
            let life = try explanation.life(of: candidate)
            let again = subject.again
            var search = ChangeSearch(subject.run, candidate: candidate) { again.rerun($0) }
            let change = try search.search()
            return TextReport(
                json: explanation.json(life: life, change: change),
                lines: life.lines() + [""] + change.lines()
            )
        } catch {
            throw CommandError(
                .notFound,
                error.description,
                at: "--candidate",
                todo: "run --json and --trace name the candidates"
            )
        }
    }
}

/// What `explain` was asked to tell.
struct ExplainVerbOptions: Sendable, Equatable {
    /// The run that is explained.
    enum Source: Sendable, Equatable {
        case fixture(FixtureOptions)
        /// The path of a recording.
        case record(String)
        /// A stored run.
        case run(String, VaultOptions)
    }

    let shared: SharedOptions
    let source: Source
    let occasion: OccasionChoice?
    /// Nil: why these three.
    let candidate: CandidateID?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let named = [FlagName.fixture, .record, .run].filter(arguments.has)
        guard named.count == 1 else {
            let todo = "give one of --fixture FILE, --record FILE and --run ID"
            let what = named.isEmpty ? "there is no run to explain" : "only one run can be explained"
            throw .usage(.explain, what, todo: todo)
        }
        occasion = try arguments.occasion()
        if let path = arguments.text(.fixture) {
            source = .fixture(FixtureOptions(path: path, arguments, settings))
        } else if let path = arguments.text(.record) {
            source = .record(path)
        } else {
            let id = arguments.text(.run) ?? ""
            guard PostgresUUID(id) != nil else { throw .noRun(id) }
            source = .run(id, VaultOptions(arguments, settings))
        }
        shared = SharedOptions(arguments, settings)
        candidate = arguments.text(.candidate).map { CandidateID($0) }
    }
}

/// The run that is to be explained, and what does it again with one thing changed.
struct ExplainedRun: Sendable {
    let run: EngineRun
    let again: HypothesisRunner
    /// What has changed since the run that was asked about; nil when nothing has.
    var caveat: String?
    /// The set as it was stored, where the run that made it cannot be done again as it was.
    var stored: StoredExplanation?

    init(_ options: ExplainVerbOptions, _ context: CommandContext) async throws(CommandError) {
        let shared = options.shared
        switch options.source {
        case .fixture(let fixture):
            let (service, vault) = try ChoiceService.ofFixture(fixture, shared, context)
            let request = ChoiceRequest(vault: vault.id, occasion: options.occasion, asOf: fixture.asOf)
            (run, again) = try await reporting {
                let prepared = try service.prepared(request, try await vault.load(vault.id))
                return await Self.performed(prepared, by: service, shared, context)
            }
        case .run(let id, let vault):
            let (service, vaults) = try await ChoiceService.ofDatabase(vault, shared, context)
            let made = try await reporting {
                try await service.again(id, in: StoredRuns(vaults: vaults))
            }
            (run, again) = await Self.performed(made.prepared, by: service, shared, context)
            if made.isSame(as: run) {
                caveat = made.readsTheSame ? nil : "what the run read has changed since; it would make the same set now"
            } else {
                stored = StoredExplanation(made.document, hints: made.vault.hints, zone: made.vault.timeZone)
                caveat =
                    made.hasItsPlan
                    ? "what the run read has changed since, so that it cannot be done again; this is the set as it was stored"
                    : "the set was made with \(made.pipeline), which is not at hand; this is the set as it was stored"
            }
        case .record(let path):
            let recording = try ReplayRuns.recording(path)
            let plan = try context.pipelines.plan(
                recorded: recording.cassette.plan,
                in: path,
                experiment: shared.experiment,
                settings: shared.parameters
            )
            let seed = recording.cassette.seed
            run = await ReplayRuns.run(recording, plan, seed: seed, shared)
            // A changed plan may ask what the recorded one did not.
            let world = await recording.open(Engine(threads: shared.threads ?? MachineCores.count))
            again = HypothesisRunner(plan: plan, ports: world.ports) {
                world.options(seed: seed, deadline: shared.deadline)
            }
        }
        if stored == nil, case .failure(let failure) = run.result {
            throw CommandError(failure, at: run.report.failedNode, input: "the run to explain")
        }
    }

    private static func performed(
        _ prepared: PreparedRun,
        by service: ChoiceService,
        _ shared: SharedOptions,
        _ context: CommandContext
    ) async -> (EngineRun, HypothesisRunner) {
        let run = await service.run(prepared, .shown(by: context)).run
        let again = HypothesisRunner(plan: prepared.plan, ports: prepared.ports) {
            var options = service.options(of: prepared)
            options.deadline = shared.deadline
            return options
        }
        return (run, again)
    }
}

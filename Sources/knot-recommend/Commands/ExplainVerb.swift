import Explanation
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph

/// `explain`: why these three, or why not another.
enum ExplainVerb {
    static func perform(_ options: ExplainVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        guard let explain = context.engine.explain else { throw .notBuilt(.explain) }
        context.progress("explaining")
        return try await explain(options, context).finish(context)
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
    let occasion: OccasionRequest
    /// Nil: why these three.
    let candidate: CandidateID?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let named = [FlagName.fixture, .record, .run].filter(arguments.has)
        guard named.count == 1 else {
            let todo = "give one of --fixture FILE, --record FILE and --run ID"
            let what = named.isEmpty ? "there is no run to explain" : "only one run can be explained"
            throw .usage(.explain, what, todo: todo)
        }
        occasion = try OccasionRequest(arguments)
        if let path = arguments.text(.fixture) {
            source = .fixture(FixtureOptions(path: path, arguments, settings))
        } else if let path = arguments.text(.record) {
            // The recording holds its own world: what would change it must not be passed over in silence.
            try Self.refuse([.milestone, .occasion, .readings, .rates, .asOf], arguments, "a recording")
            source = .record(path)
        } else {
            try Self.refuse([.milestone, .occasion, .asOf], arguments, "a stored run")
            let id = arguments.text(.run) ?? ""
            guard PostgresUUID(id) != nil else { throw .noRun(id) }
            source = .run(id, VaultOptions(arguments, settings))
        }
        shared = SharedOptions(arguments, settings)
        candidate = arguments.text(.candidate).map { CandidateID($0) }
    }

    private static func refuse(
        _ flags: [FlagName],
        _ arguments: TypedArguments,
        _ source: String
    ) throws(CommandError) {
        let foreign = flags.filter(arguments.has).map(\.typed).joined(separator: ", ")
        guard foreign.isEmpty else {
            throw .usage(.explain, "\(source) has its own \(foreign)", todo: "leave it out or use --fixture FILE")
        }
    }
}

extension EngineHooks {
    /// Adds `explain`: why these three, or one candidate's life and the smallest change that would have chosen it.
    mutating func addExplaining(_ pipelines: PipelineDesk) {
        explain = { (options, context) async throws(CommandError) in
            let subject = try await ExplainedRun(options, pipelines, context)
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
}

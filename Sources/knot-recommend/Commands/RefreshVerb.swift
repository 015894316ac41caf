import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation

/// `refresh`: the same occasion again, heeding why the last set was turned down.
enum RefreshVerb {
    static func perform(_ options: RefreshVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        guard let refresh = context.engine.refresh else { throw .notBuilt(.refresh) }
        context.progress("choosing again")
        let report = try await refresh(options, context)
        return try await ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(record: options.output.record, trace: options.output.trace),
            explains: options.output.wantsExplanation,
            context
        )
    }
}

/// What `refresh` was asked to do.
struct RefreshVerbOptions: Sendable, Equatable {
    /// The set to re-roll.
    enum Source: Sendable, Equatable {
        /// The path of a result, and the fixture it was made from.
        case result(String, FixtureOptions)
        /// A stored run.
        case run(String, VaultOptions)
    }

    let shared: SharedOptions
    let source: Source
    let reason: RefreshReason
    /// Sorted positions of the rejected choices, each once; empty: all that the result has.
    let rejected: [Int]
    let output: OutputOptions

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        if let run = arguments.text(.run) {
            let foreign = [FlagName.from, .fixture].filter(arguments.has)
            guard foreign.isEmpty else {
                let flags = foreign.map(\.typed).joined(separator: " and ")
                throw .usage(.refresh, "a stored run needs no \(flags)", todo: "leave it out or leave --run out")
            }
            guard PostgresUUID(run) != nil else { throw .noRun(run) }
            source = .run(run, VaultOptions(arguments, settings))
        } else {
            guard let from = arguments.text(.from) else { throw .missing(.from, .refresh) }
            guard let path = arguments.text(.fixture) else { throw .missing(.fixture, .refresh) }
            source = .result(from, FixtureOptions(path: path, arguments, settings))
        }
        guard let reason = arguments.text(.reason).flatMap(RefreshReason.init) else {
            throw .missing(.reason, .refresh)
        }
        shared = SharedOptions(arguments, settings)
        self.reason = reason
        rejected = Set(arguments.all(.reject).compactMap { Int($0) }).sorted()
        output = try OutputOptions(arguments, .refresh)
    }
}

/// The result a refresh starts from: what was shown, and the occasion it was shown for.
struct PreviousResult: Sendable {
    let refresh: RefreshRequest
    let occasion: OccasionRequest

    static func read(_ path: String, _ options: RefreshVerbOptions) throws(CommandError) -> PreviousResult {
        try PreviousResult(InputFile.readJSON(path, broken: .badInput), in: path, options)
    }

    init(_ value: JSONValue, in source: String, _ options: RefreshVerbOptions) throws(CommandError) {
        let reader = JSONReader(value)
        if value["schema"]?.string != "knot.choice/1" { reader.note("expected \"knot.choice/1\"", at: "schema") }
        let refresh = RefreshDocument.next(after: reader, reason: options.reason, rejected: Set(options.rejected))
        let tier = reader.required("occasion")?.choice(OccasionTier.self)
        let milestone = reader.optional("milestone_id")?.string()
        let shown = (value["choices"]?.array ?? []).compactMap { $0["position"]?.int }
        for position in options.rejected where !shown.contains(position) {
            reader.note("there is no choice at position \(position) to reject", at: "choices")
        }
        guard let refresh, let tier, reader.problems.list.isEmpty else {
            throw CommandError(
                .badInput,
                "it is not a result that can be refreshed",
                at: source,
                todo: "give the output of run --json",
                problems: reader.problems.list.map { CommandProblem(file: source, $0) }
            )
        }
        self.refresh = refresh
        occasion = milestone.map { .milestone(MilestoneID($0)) } ?? .tier(tier)
    }
}

import KnotDomain
import PostgresClient
import Recommendation
import StageGraph

/// `run`: one vault, three choices; or every vault, one report.
enum RunVerb {
    static func perform(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        switch options.subject {
        case .everyVault: return try await ReportVerb.perform(context.engine.runAll, options, .run, context)
        case .fixture(let fixture): context.progress("choosing for \(fixture.path)")
        case .vault(let id, _): context.progress("choosing for vault \(id)")
        }
        guard let run = context.engine.run else { throw .notBuilt(.run) }
        let report = try await run(options, context)
        return try await ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(record: options.output.record, trace: options.output.trace),
            explains: options.output.wantsExplanation,
            context
        )
    }
}

/// What `run` was asked to do.
struct RunVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    let subject: RunSubject
    let occasion: OccasionRequest
    let output: OutputOptions
    /// The identity of the request; nil: a fresh one, or for a fixture the digest of its inputs.
    let request: String?
    /// The three of the set and as many more.
    let cards: Int

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        occasion = try OccasionRequest(arguments)
        subject = try Self.subject(arguments, settings)
        shared = SharedOptions(arguments, settings)
        output = try OutputOptions(arguments, .run)
        request = arguments.text(.request)
        cards = arguments.text(.cards).flatMap { Int($0) } ?? RunRequest.ofOneSet
    }

    private static func subject(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) -> RunSubject {
        let named = [FlagName.fixture, .vault, .all].filter(arguments.has)
        guard named.count == 1 else {
            let todo = "give one of --fixture FILE, --vault ID and --all"
            let flags = named.map(\.typed).joined(separator: " and ")
            throw .usage(
                .run,
                named.isEmpty ? "there is no vault to choose for" : "\(flags) exclude one another",
                todo: todo
            )
        }
        if let path = arguments.text(.fixture) {
            guard !arguments.has(.asUser) else {
                throw .usage(.run, "--as-user is for the database", todo: "leave it out or use --vault ID")
            }
            return .fixture(FixtureOptions(path: path, arguments, settings))
        }
        let options = VaultOptions(arguments, settings)
        if let id = arguments.text(.vault) {
            // Of another form it names nothing that a database holds.
            guard PostgresUUID(id) != nil else { throw .noVault(id) }
            return .vault(id, options)
        }
        // These are of one vault and one run.
        let foreign = [FlagName.milestone, .record, .trace, .explain, .cards].filter(arguments.has)
        guard foreign.isEmpty else {
            let flags = foreign.map(\.typed).joined(separator: ", ")
            throw .usage(.run, "\(flags) is for one vault", todo: "leave it out or use --vault ID")
        }
        return .everyVault(options)
    }
}

/// What a choice is made for.
enum RunSubject: Sendable, Equatable {
    case fixture(FixtureOptions)
    case vault(String, VaultOptions)
    /// Every vault in the database.
    case everyVault(VaultOptions)
}

/// What a set is for, where the person says so.
enum OccasionRequest: Sendable, Equatable {
    /// What the fixture asks for, else just because.
    case unstated
    case milestone(MilestoneID)
    case tier(OccasionTier)

    init(_ arguments: TypedArguments) throws(CommandError) {
        switch (arguments.text(.milestone), arguments.text(.occasion)) {
        case (.some, .some):
            throw .usage(
                arguments.verb,
                "--milestone and --occasion exclude one another",
                todo: "give one of them"
            )
        case (let id?, nil): self = .milestone(MilestoneID(id))
        case (nil, let tier?): self = OccasionTier(rawValue: tier).map(OccasionRequest.tier) ?? .unstated
        case (nil, nil): self = .unstated
        }
    }
}

/// What a run writes and prints besides its result.
struct OutputOptions: Sendable, Equatable {
    /// The path of the recording to write.
    let record: String?
    /// The path of the trace to write.
    let trace: String?
    /// Whether the trace holds the vault's own texts too.
    let wantsTraceTexts: Bool
    let isDryRun: Bool
    let wantsExplanation: Bool
    let wantsTimings: Bool

    init(_ arguments: TypedArguments, _ verb: VerbName) throws(CommandError) {
        record = arguments.text(.record)
        trace = arguments.text(.trace)
        wantsTraceTexts = try Self.wantsTraceTexts(arguments, verb)
        isDryRun = arguments.has(.dryRun)
        wantsExplanation = arguments.has(.explain)
        wantsTimings = arguments.has(.timings)
    }

    /// Texts of a trace that nobody asked for are a slip.
    static func wantsTraceTexts(_ arguments: TypedArguments, _ verb: VerbName) throws(CommandError) -> Bool {
        guard arguments.has(.traceTexts) else { return false }
        guard arguments.has(.trace) else {
            throw .usage(verb, "--trace-texts says what a trace holds, and there is none", todo: "add --trace FILE")
        }
        return true
    }
}

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

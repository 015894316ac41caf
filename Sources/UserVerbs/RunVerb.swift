import Arguments
import ChoiceService
import Composition
import Console
import KnotDomain
import PostgresClient
import Recommendation
import Verbs

extension Verb {
    static let run = Verb(
        name: .run,
        summary: "Choose three gifts or experiences for a vault and say why",
        uses: [
            VerbUse(
                "--fixture FILE [--occasion OCCASION] [options]",
                by: .fixture,
                flags: ofOneVault,
                harmless: [.dryRun]
            ),
            VerbUse("--vault ID [--occasion OCCASION] [options]", by: .vault, flags: ofOneVault + ofStoredVaults),
            VerbUse("--all [--concurrency N] [options]", by: .all, flags: [.concurrency] + ofStoredVaults),
        ],
        description: """
            The same input, seed and pipeline always give the same output. A set for a vault in the database is \
            stored; nothing is stored for a fixture. With `--all`, a vault that fails is listed and doesn't stop the \
            others. The exit code is then that of the failed vault with the lowest ID, or 11 if sets were only short. \
            With `--live`, offers of services that aren't configured still come from the fixture or catalogue.
            """,
        examples: [
            "knot-recommend run --fixture fixtures/vaults/dev-01.json # try it",
            "knot-recommend run --vault $VAULT --occasion just_because --dry-run",
            "knot-recommend run --all --request monday # every vault, once for this ID",
        ],
        flags: [.occasion, .readings, .rates, .asOf, .traceTexts, .spans, .timings, .live],
        texts: [
            .vault: "Vault in the database to choose for",
            .all: "Choose for every vault in the database",
            .concurrency: "With `--all`: number of vaults to process at once",
            .deadline: "Time limit for each set, such as `500ms` or `2s`",
            .verbose: "Print evidence and scores; with `--all`, also list the vaults with short sets",
        ],
        exitCodes: running,
        perform: RunVerb.perform
    )
}

/// `run`: one vault, three choices; or every vault, one report.
enum RunVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try RunVerbOptions(arguments, context.settings)
        if options.isPlanOnly { return try await LivePlan.report(options, context).finish(context) }
        return try await SpanExport.following(to: options.spans, context) { spans async throws(CommandError) in
            if case .everyVault = options.subject {
                return try await RunAll.report(options, spans, context).finish(context)
            }
            let outside = try options.outside(context)
            let report: ChoiceReport
            do throws(CommandError) {
                Engine.prepareLexicon()
                let laid = try LiveVaults.laying(outside)
                switch options.subject {
                case .everyVault: throw .usage(.run, "one vault is meant", todo: "use --fixture or --vault")
                case .fixture(let fixture):
                    context.progress("choosing for \(fixture.path)")
                    let (service, vault) = try ChoiceService.ofFixture(fixture, options.shared, context, through: laid)
                    let request = options.request(for: vault.id, asOf: fixture.asOf)
                    report = try await service.following(spans)
                        .report(request, options.shared, options.output, context, of: outside, notes: vault.notes)
                case .vault(let id, let vault):
                    context.progress("choosing for vault \(id)")
                    let (service, _) = try await ChoiceService.ofDatabase(vault, options.shared, context, through: laid)
                    let request = options.request(for: VaultID(id), asOf: vault.asOf)
                    report = try await service.following(spans)
                        .report(request, options.shared, options.output, context, of: outside)
                }
            } catch {
                // What was answered says most where the run came to nothing.
                let fault = outside?.keepTraffic(of: options.subject.storedVault, context)
                // Both may say the same of a folder that is not there.
                if let fault, fault.place != error.place { try context.complain(fault) }
                throw error
            }
            let unkept = outside?.keepTraffic(of: options.subject.storedVault, context)
            return try await ChoiceOutcome.finish(report, options.shared, options.output, context, unkept: unkept)
        }
    }
}

/// What `run` was asked to do.
struct RunVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    let subject: RunSubject
    /// Nil: what the vault itself asks for, else just because.
    let occasion: OccasionChoice?
    let output: OutputOptions
    /// The identity of the request; nil: a fresh one, or for a fixture the digest of its inputs.
    let request: String?
    /// The three of the set and as many more.
    let cards: Int
    /// Where the services' answers come from; nil where none is asked.
    let traffic: LiveTraffic?
    /// Whether only what they would be asked is wanted.
    let isPlanOnly: Bool
    /// Where spans go, if anywhere.
    let spans: String?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        occasion = try arguments.occasion()
        subject = try Self.subject(arguments, settings)
        shared = SharedOptions(arguments, settings)
        output = try OutputOptions(arguments, .run)
        request = arguments.text(.request)
        cards = arguments.text(.cards).flatMap { Int($0) } ?? RunRequest.ofOneSet
        traffic = try Self.traffic(arguments)
        isPlanOnly = arguments.has(.planOnly)
        spans = arguments.text(.spans)
        guard !isPlanOnly || traffic == .asked else {
            throw .usage(.run, "--plan-only sends nothing, so that there is no traffic", todo: "leave out one of them")
        }
        // What was recorded without the vectors would be another run, and what is played would be sent once more.
        guard shared.model != .remote || traffic == nil || traffic == .asked else {
            throw .usage(
                .run,
                "traffic holds no vectors of a service, which --model remote asks for",
                todo: "leave out one of them, or add --model none"
            )
        }
    }

    /// What the run asks; one that writes nothing reads what replies are kept.
    func outside(_ context: CommandContext) throws(CommandError) -> LiveOutside? {
        try traffic.map { traffic throws(CommandError) in
            try LiveOutside(context, traffic, replies: output.isDryRun ? .read : .kept)
        }
    }

    private static func traffic(_ arguments: TypedArguments) throws(CommandError) -> LiveTraffic? {
        guard arguments.has(.live) else { return nil }
        switch (arguments.text(.recordTraffic), arguments.text(.playTraffic)) {
        case (nil, nil): return .asked
        case (let path?, nil): return .recorded(path)
        case (nil, let path?): return .played(path)
        case (.some, .some):
            throw .usage(.run, "--record-traffic and --play-traffic exclude one another", todo: "give one of them")
        }
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
            return .fixture(FixtureOptions(path: path, arguments, settings))
        }
        let options = VaultOptions(arguments, settings)
        if let id = arguments.text(.vault) {
            // Of another form it names nothing that a database holds.
            guard PostgresUUID(id) != nil else { throw .noVault(id) }
            return .vault(id, options)
        }
        return .everyVault(options)
    }
}

/// What a choice is made for.
enum RunSubject: Sendable, Equatable {
    /// The one vault of the database that it is made for, where it is one.
    var storedVault: String? { if case .vault(let id, _) = self { id } else { nil } }

    case fixture(FixtureOptions)
    case vault(String, VaultOptions)
    /// Every vault in the database.
    case everyVault(VaultOptions)
}

extension RunVerbOptions {
    /// What is asked of the service for one vault.
    func request(for vault: VaultID, asOf: Instant?) -> ChoiceRequest {
        var asked = ChoiceRequest(vault: vault, occasion: occasion, asOf: asOf, name: request)
        asked.cards = cards
        asked.isDryRun = output.isDryRun
        return asked
    }
}

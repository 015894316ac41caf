import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import Verbs

extension Verb {
    static let refresh = Verb(
        name: .refresh,
        summary: "Choose a new set after some or all of the old one was rejected",
        uses: [
            VerbUse(
                "--run ID --reason REASON [--reject N] [options]",
                by: .run,
                flags: [.dryRun, .asUser, .catalogue, .allowWeakTLS]
            ),
            VerbUse(
                "--from FILE --fixture FILE --reason REASON [options]",
                flags: [.from, .fixture],
                harmless: [.dryRun]
            ),
        ],
        description: """
            Chooses for the same occasion and takes the reason into account. Rejected offers and reasons add up if \
            you refresh the newest set each time. The new set of a stored run is stored beside the old one. Offers \
            come from the fixture or the catalogue; services aren't asked.
            """,
        examples: [
            "knot-recommend refresh --run $RUN --reason too_expensive",
            "knot-recommend refresh --run $RUN --reason not_their_style --reject 2",
        ],
        flags: [.reason, .reject, .readings, .rates, .asOf, .record, .trace, .traceTexts, .explain, .timings],
        texts: [
            .run: "Stored run to refresh (see `history`)",
            .fixture: "Fixture that the result was made from",
            .verbose: "Print evidence and scores",
        ],
        exitCodes: running,
        perform: RefreshVerb.perform
    )
}

/// `refresh`: the same occasion again, heeding why the last set was turned down.
enum RefreshVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try RefreshVerbOptions(arguments, context.settings)
        context.progress("choosing again")
        let report = try await report(options, context)
        return try await ChoiceOutcome.finish(report, options.shared, options.output, context)
    }

    private static func report(
        _ options: RefreshVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ChoiceReport {
        let shared = options.shared
        switch options.source {
        case .result(let path, let fixture):
            let previous = try PreviousResult.read(path, options)
            let (service, vault) = try ChoiceService.ofFixture(fixture, shared, context)
            guard vault.has(previous.occasion) else {
                let fault = "its milestone_id is no milestone of \(fixture.path)"
                throw CommandError(.badInput, fault, at: path, todo: "give the fixture that it was made from")
            }
            let request = previous.next(for: vault.id, run: nil, asOf: fixture.asOf, options)
            return try await service.report(request, shared, options.output, context, notes: vault.notes)
        case .run(let id, let vault):
            let (service, vaults) = try await ChoiceService.ofDatabase(vault, shared, context)
            let result = try await reporting {
                try await StoredRuns(vaults: vaults).result(of: id)
            }
            let previous = try PreviousResult(result.document, in: "run \(result.run)", options)
            let request = previous.next(for: result.vault, run: result.run, asOf: vault.asOf, options)
            var report = try await service.report(request, shared, options.output, context)
            let codes = report.result["reasons"]?.array?.compactMap { $0["code"]?.string } ?? []
            if codes.contains("no_candidates") {
                report.notes.append(
                    "refresh chooses from the catalogue alone: services that run --live asks are not asked"
                )
            }
            return report
        }
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
    let occasion: OccasionChoice

    static func read(_ path: String, _ options: RefreshVerbOptions) throws(CommandError) -> PreviousResult {
        try PreviousResult(InputFile.readJSON(path, broken: .badInput), in: path, options)
    }

    /// The request for the set that takes its place.
    func next(
        for vault: VaultID,
        run: String?,
        asOf: Instant?,
        _ options: RefreshVerbOptions
    ) -> ChoiceRequest {
        var request = ChoiceRequest(vault: vault, occasion: occasion, asOf: asOf)
        request.reroll = ChoiceRequest.Reroll(run: run, refresh: refresh)
        request.isDryRun = options.output.isDryRun
        return request
    }

    init(_ value: JSONValue, in source: String, _ options: RefreshVerbOptions) throws(CommandError) {
        let reader = JSONReader(value)
        if value["schema"]?.string != "knot.choice/1" { reader.note("expected \"knot.choice/1\"", at: "schema") }
        let refresh = RefreshDocument.next(after: reader, reason: options.reason, rejected: Set(options.rejected))
        let tier = reader.required("occasion")?.choice(OccasionTier.self)
        let milestone = reader.optional("milestone_id")?.string()
        let shown = (value["choices"]?.array ?? []).compactMap { $0["position"]?.int }
        let ids = (value["choices"]?.array ?? []).compactMap { $0["candidate_id"]?.string }
        if Set(shown).count < shown.count { reader.note("two choices are at one position", at: "choices") }
        if Set(ids).count < ids.count { reader.note("two choices are one candidate", at: "choices") }
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

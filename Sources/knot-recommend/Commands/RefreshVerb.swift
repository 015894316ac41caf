import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation

extension VerbName {
    static let refresh = VerbName("refresh")
}

extension Verb {
    static let refresh = Verb(
        name: .refresh,
        summary: "re-rolls a set with a reason",
        synopsis: "(--run ID | --from RESULT.json --fixture FILE) --reason REASON",
        description: """
            Makes a new set for the same occasion that heeds why the old one was turned down. Rejected items and \
            reasons accumulate over the rounds: pass the result of the last round to the next one. Without \
            --reject all three count as rejected. The new set of a stored run is stored beside it and says which \
            one it takes the place of. It is chosen from the fixture or the catalogue; services are not asked.
            """,
        examples: [
            Example(
                purpose: "all three cost too much",
                command: "knot-recommend refresh --from result.json --fixture fixtures/vaults/dev-01.json "
                    + "--reason too_expensive"
            ),
            Example(
                purpose: "keep the first, replace the others",
                command: "knot-recommend refresh --from result.json --fixture fixtures/vaults/dev-01.json "
                    + "--reason not_their_style --reject 2 --reject 3"
            ),
            Example(
                purpose: "a stored run",
                command: "knot-recommend refresh --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 --reason show_different"
            ),
        ],
        flags: [
            .fixture, .from, .run, .reason, .reject, .readings, .rates, .asOf, .record, .trace, .traceTexts,
            .dryRun, .explain, .timings, .asUser, .catalogue, .allowWeakTLS,
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

import Arguments
import ChoiceService
import ChoiceText
import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let history = Verb(
        name: .history,
        summary: "List a vault's stored sets, show one, or compare two",
        uses: [
            VerbUse("--vault ID [--limit N] [--after ID] [options]", flags: [.limit, .after]),
            VerbUse("--run ID [options]", by: .run),
            VerbUse("--diff A B [options]", by: .diff),
        ],
        operand: Operand(kind: .text("ID"), name: "B", isRepeatable: false),
        description: """
            Lists the newest set first, with the run ID that `explain`, `refresh` and `feedback` take. A comparison \
            shows what both sets were made from, and which cards stayed, left or came.
            """,
        examples: [
            "knot-recommend history --vault $VAULT",
            "knot-recommend history --run $RUN # every card of one set",
            "knot-recommend history --diff $RUN $NEWER # what a refresh changed",
        ],
        flags: [.vault, .output, .format, .asUser, .allowWeakTLS],
        texts: [
            .vault: "Vault whose sets to list",
            .run: "Stored run to show",
            .limit: "Number of sets to list",
            .after: "Last run of the previous page",
            .format: "Output format: `text` or `csv`",
            .verbose: "With `--run`: print evidence and scores",
        ],
        exitCodes: keeping,
        perform: HistoryVerb.perform
    )
}

/// `history`: the stored sets of a vault, one of them, or two held against each other.
enum HistoryVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try HistoryVerbOptions(arguments, context.settings)
        return try await StoredSets(options, context).report().finish(context, as: options.format)
    }
}

/// One stored set: what a list shows of it, and its whole result, which was found to be one.
struct SetInFull: Sendable {
    let summary: StoredSetSummary
    let result: JSONValue

    var side: SetDifference.Side {
        SetDifference.Side(
            run: summary.runID.description,
            moment: HistoryText.moment(summary),
            summary: summary.json,
            result: result
        )
    }
}

/// The stored sets of a vault: a list of them, one as it was stored, or two held against each other.
struct StoredSets: Sendable {
    private let call: DatabaseCall
    private let options: HistoryVerbOptions
    private let context: CommandContext

    init(_ options: HistoryVerbOptions, _ context: CommandContext) async throws(CommandError) {
        call = try await DatabaseCall("the database", asUser: options.asUser, options.shared, context)
        self.options = options
        self.context = context
    }

    private var history: SetHistory { SetHistory(call.pool) }

    func report() async throws(CommandError) -> TextReport {
        switch options.subject {
        case .list(let vault, let after, let limit): return try await list(vault, after: after, limit: limit)
        case .one(let run): return one(try await set(run))
        case .two(let first, let second):
            let difference = SetDifference(try await set(first).side, try await set(second).side)
            let lines = difference.lines(width: context.terminal.width)
            return TextReport(json: difference.json, lines: lines, table: difference.table)
        }
    }

    /// Newest first.
    private func list(
        _ vault: PostgresUUID,
        after last: PostgresUUID?,
        limit: Int
    ) async throws(CommandError) -> TextReport {
        let (found, problems) = try await reporting(about: "vault \(vault)" + (last.map { ", --after \($0)" } ?? "")) {
            // One more than shown tells whether there are more.
            try await history.page(
                of: vault,
                after: last,
                limit: limit + 1,
                until: call.deadline
            )
        }
        let sets = found.prefix(limit)
        let next = found.count + problems.count > limit ? sets.last?.runID.description : nil
        var lines = sets.flatMap { HistoryText.lines($0, width: context.terminal.width) }
        if sets.isEmpty { lines = ["no set is stored for this vault" + (last == nil ? "" : " before that one")] }
        if let next { lines.append("more with --after \(next)") }
        lines += problems.map { "cannot be read: \(TerminalText.safe("\($0.path) \($0.message)", limit: 400))" }
        var report = TextReport(
            json: [
                "schema": "knot.history/1", "vault_id": .string(vault.description),
                "sets": .array(sets.map(\.json)), "next": JSONValue(next),
                "problems": .array(problems.map { CommandProblem(path: $0.path, $0.message).json }),
            ],
            lines: lines,
            exitCode: problems.isEmpty ? .done : .badInput
        )
        report.table = Self.table(Array(sets))
        return report
    }

    /// What was stored, as it was stored.
    private func one(_ set: SetInFull) -> TextReport {
        let summary = set.summary
        var facts = [
            "stored \(HistoryText.moment(summary)) for \(CardView.words(summary.kind)) request \(summary.request)"
        ]
        if summary.round > 0 { facts.append("round \(summary.round)") }
        if let older = summary.supersedes { facts.append("in place of run \(older)") }
        if let newer = summary.supersededBy { facts.append("replaced since by run \(newer)") }
        let view = CardView(terminal: context.terminal, isVerbose: options.shared.isVerbose)
        let head = TerminalText.safe(facts.joined(separator: ", "), limit: 1_000)
        var report = TextReport(
            json: ["schema": "knot.history.run/1", "set": summary.json, "result": set.result],
            lines: TextLayout.wrapped(head, to: context.terminal.width) + view.lines(ShownSet(set.result))
        )
        report.table = Self.table([summary])
        return report
    }

    private func set(_ run: PostgresUUID) async throws(CommandError) -> SetInFull {
        let found = try await reporting(about: "run \(run)") {
            try await history.set(run, of: options.vault, until: call.deadline)
        }
        guard let found else { throw .noRun(run.description) }
        let vault = VaultID(found.vault.description)
        let result = try reporting { try StoredResult(found.result, run: run.description, vault: vault) }
        return SetInFull(summary: found.summary, result: result.document)
    }

    /// A row for each choice.
    private static func table(_ sets: [StoredSetSummary]) -> CSVTable {
        var table = CSVTable([
            "run_id", "created_at", "outcome", "kind", "occasion", "occurrence", "round", "pipeline", "pipeline_hash",
            "position", "candidate_id", "type", "title", "price_cents", "currency", "merchant", "url",
        ])
        for set in sets {
            for choice in set.choices.array ?? [] {
                table.add([
                    .text(set.runID.description), .text(set.createdAt.iso8601), .text(set.outcome), .text(set.kind),
                    .text(set.tier), .text(set.occurrence?.description), .whole(set.round), .text(set.pipelineName),
                    .text(set.pipelineHash), .whole(choice["position"]?.int), .text(choice["candidate_id"]?.string),
                    .text(choice["type"]?.string), .text(choice["title"]?.string), .whole(choice["price_cents"]?.int),
                    .text(choice["currency"]?.string), .text(choice["merchant"]?.string),
                    .text(choice["url"]?.string),
                ])
            }
        }
        return table
    }
}

/// What `history` was asked to show: the sets of a vault, one of them, or two held against each other.
struct HistoryVerbOptions: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        /// A page of a vault's sets, newest first, those after one of them.
        case list(PostgresUUID, after: PostgresUUID?, limit: Int)
        case one(PostgresUUID)
        case two(PostgresUUID, PostgresUUID)
    }

    let shared: SharedOptions
    let subject: Subject
    /// The vault that the named runs must be of; nil: any that may be read.
    let vault: PostgresUUID?
    let asUser: String?
    let format: TableFormat

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        format = try TableFormat(arguments)
        asUser = arguments.text(.asUser)
        if let text = arguments.text(.vault) {
            guard let id = PostgresUUID(text) else { throw .noVault(text) }
            vault = id
        } else {
            vault = nil
        }
        let todo = "name the second run after it: history --diff A B"
        switch (arguments.text(.run), arguments.text(.diff)) {
        case (_?, _?): throw .usage(.history, "--run and --diff exclude one another", todo: "give one of them")
        case (let run?, nil):
            subject = .one(try Self.run(run))
        case (nil, let first?):
            guard let second = arguments.operands.first else {
                throw .usage(.history, "there is only one run to compare", todo: todo)
            }
            subject = .two(try Self.run(first), try Self.run(second))
        case (nil, nil):
            guard let vault else { throw .missing(.vault, .history) }
            let limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
            subject = .list(
                vault,
                after: try arguments.text(.after).map { id throws(CommandError) in try Self.run(id, .after) },
                limit: limit
            )
        }
        guard arguments.operands.isEmpty || arguments.has(.diff) else {
            throw .usage(.history, "unexpected word \(arguments.operands[0])", todo: "show one set with --run ID")
        }
    }

    private static func run(_ text: String, _ flag: FlagName = .run) throws(CommandError) -> PostgresUUID {
        guard let id = PostgresUUID(text) else { throw .noRun(text, at: flag.typed) }
        return id
    }
}

/// One stored set as a few lines.
private enum HistoryText {
    /// When a set was stored, on the clocks of the vault's person.
    static func moment(_ set: StoredSetSummary) -> String {
        DateText.moment(set.createdAt, in: set.timeZone.flatMap { zones.rules(named: $0) } ?? .utc)
    }

    private static let zones = ZoneCache()

    static func lines(_ set: StoredSetSummary, width: Int) -> [String] {
        var head = "\(moment(set)), \(CardView.words(set.tier))"
        if let day = set.occurrence { head += ", \(DateText.day(day.description))" }
        if set.outcome != "complete" { head += ", \(set.outcome)" }
        if set.round > 0 { head += ", round \(set.round)" }
        if set.supersededBy != nil { head += ", replaced since" }
        var lines = TextLayout.wrapped(head, to: max(40, width))
        lines += ["  run \(set.runID), \(TerminalText.safe(set.pipelineName, limit: 60))"]
        for choice in set.choices.array ?? [] {
            let price = choice["price_cents"]?.int.flatMap { cents in
                choice["currency"]?.string.flatMap { Currency($0) }.map { Money(cents, $0).description }
            }
            let title = TerminalText.safe(choice["title"]?.string ?? "", limit: 600)
            let position = choice["position"]?.int.map { "\($0). " } ?? "   "
            let room = width - 4 - DisplayWidth.of(position) - DisplayWidth.of(price ?? "")
            lines.append(
                "  \(position)" + TextLayout.padded(TextLayout.truncated(title, to: room), to: room) + " "
                    + (price ?? "")
            )
        }
        return lines
    }
}

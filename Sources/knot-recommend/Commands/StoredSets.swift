import Evaluation
import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore

/// One stored set: what a list shows of it, and its whole result, which was found to be one.
struct SetInFull: Sendable {
    let summary: StoredSetSummary
    let result: JSONValue
}

/// The stored sets of a vault: a list of them, one as it was stored, or two held against each other.
struct StoredSets: Sendable {
    private static let limit = Duration.seconds(60)

    private let history: SetHistory
    private let budget: TimeBudget
    private let options: HistoryVerbOptions
    private let context: CommandContext

    init(_ options: HistoryVerbOptions, _ context: CommandContext) async throws(CommandError) {
        budget = TimeBudget(options.shared.deadline)
        history = SetHistory(try await DatabaseDesk(context, budget).open(asUser: options.asUser))
        self.options = options
        self.context = context
    }

    func report() async throws(CommandError) -> TextReport {
        switch options.subject {
        case .list(let vault, let after, let limit): return try await list(vault, after: after, limit: limit)
        case .one(let run): return one(try await set(run))
        case .two(let first, let second):
            let difference = SetDifference(try await set(first), try await set(second))
            return difference.report(width: context.terminal.width)
        }
    }

    /// Newest first.
    private func list(
        _ vault: PostgresUUID,
        after last: PostgresUUID?,
        limit: Int
    ) async throws(CommandError) -> TextReport {
        let found: [StoredSetSummary]
        let problems: [JSONProblem]
        do throws(MovingError) {
            // One more than shown tells whether there are more.
            (found, problems) = try await history.page(
                of: vault,
                after: last,
                limit: limit + 1,
                until: budget.until(Self.limit)
            )
        } catch {
            throw CommandError(error, input: "vault \(vault)")
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
            lines: TextLayout.wrapped(head, to: context.terminal.width) + view.lines(set.result)
        )
        report.table = Self.table([summary])
        return report
    }

    private func set(_ run: PostgresUUID) async throws(CommandError) -> SetInFull {
        let found: StoredSetInFull?
        do throws(MovingError) {
            found = try await history.set(run, of: options.vault, until: budget.until(Self.limit))
        } catch {
            throw CommandError(error, input: "run \(run)")
        }
        guard let found else { throw .noRun(run.description) }
        let result = try StoredResult(found.result, run: run, vault: found.vault)
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

/// The result that a run's row holds, read only where it is that run's and of that row's vault.
struct StoredResult: Sendable {
    let run: PostgresUUID
    let vault: VaultID
    let document: JSONValue

    /// Throws an error of that row where the text is no result, or one of another run or vault.
    init(_ text: String, run: PostgresUUID, vault: PostgresUUID) throws(CommandError) {
        self.run = run
        self.vault = VaultID(vault.description)
        do throws(JSONSyntaxError) {
            document = try JSONParser.parse(Array(text.utf8))
        } catch {
            throw Self.unreadable(run, [CommandProblem(path: "$", error.message)])
        }
        let reader = JSONReader(document)
        reader.expectSchema("knot.choice/1")
        Self.expect(run, at: "run_id", reader)
        Self.expect(vault, at: "vault_id", reader)
        if let outcome = reader.required("outcome")?.string(), !["complete", "degraded", "short"].contains(outcome) {
            reader.note("\"\(outcome.prefix(60))\" is no outcome of a set", at: "outcome")
        }
        for choice in reader.required("choices")?.items() ?? [] {
            _ = choice.required("position")?.int(in: 1...3)
            _ = choice.required("candidate_id")?.string()
            _ = choice.required("title")?.string()
        }
        if !reader.problems.list.isEmpty { throw unreadable(reader.problems.list) }
    }

    /// What is to be said where a part of it is not what it has to be.
    func unreadable(_ problems: [JSONProblem]) -> CommandError {
        Self.unreadable(run, problems.map { CommandProblem(path: $0.path, $0.message) })
    }

    private static func expect(_ id: PostgresUUID, at name: String, _ reader: JSONReader) {
        guard let text = reader.required(name)?.string() else { return }
        if PostgresUUID(text) != id { reader.note("\"\(text.prefix(60))\" is not the row's own", at: name) }
    }

    private static func unreadable(_ run: PostgresUUID, _ problems: [CommandProblem]) -> CommandError {
        CommandError(
            .badInput,
            "the stored result of this run cannot be read",
            at: "run \(run)",
            todo: "restore or delete its row of recommendation_runs",
            problems: problems
        )
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
            try Self.refuse([.limit, .after], arguments, "one run")
            subject = .one(try Self.run(run))
        case (nil, let first?):
            try Self.refuse([.limit, .after], arguments, "two runs")
            guard let second = arguments.operands.first else {
                throw .usage(.history, "there is only one run to compare", todo: todo)
            }
            subject = .two(try Self.run(first), try Self.run(second))
        case (nil, nil):
            guard let vault else { throw .missing(.vault, .history) }
            let limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
            subject = .list(vault, after: try arguments.text(.after).map(Self.run), limit: limit)
        }
        guard arguments.operands.isEmpty || arguments.has(.diff) else {
            throw .usage(.history, "unexpected word \(arguments.operands[0])", todo: "show one set with --run ID")
        }
    }

    private static func run(_ text: String) throws(CommandError) -> PostgresUUID {
        guard let id = PostgresUUID(text) else { throw .noRun(text) }
        return id
    }

    private static func refuse(
        _ flags: [FlagName],
        _ arguments: TypedArguments,
        _ what: String
    ) throws(CommandError) {
        guard let flag = flags.first(where: arguments.has) else { return }
        throw .usage(.history, "\(flag.typed) is for the list and not for \(what)", todo: "leave it out")
    }
}

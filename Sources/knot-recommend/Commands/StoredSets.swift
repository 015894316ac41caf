import Evaluation
import JSONDocument
import KnotDomain
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

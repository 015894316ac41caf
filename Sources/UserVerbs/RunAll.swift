import ChoiceService
import ChoiceText
import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import Synchronization
import Verbs

/// `run --all`: every vault of the database, in memory that does not grow with their number.
enum RunAll {
    /// Workers share the role's limit with it.
    private static let mostConnections = 20

    static func report(
        _ options: RunVerbOptions,
        _ spans: SpanExport?,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        guard case .everyVault(let asked) = options.subject else {
            throw .usage(.run, "--all is not asked for", todo: "use --all")
        }
        let threads = options.shared.threads ?? MachineCores.count
        let atOnce = asked.concurrency ?? min(2 * threads, 8)
        let (service, vaults) = try await ChoiceService.ofDatabase(
            asked,
            options.shared,
            context,
            PoolSettings(limit: min(atOnce + 4, Self.mostConnections), plansOnce: true),
            isForMany: true,
            through: try LiveVaults.laying(try options.outside(context))
        )
        let start = ContinuousClock.now
        let progress = BatchProgress(total: try await vaults.count()) { context.progress($0) }
        let requests = EveryVault(vaults.pool) { options.request(for: $0, asOf: asked.asOf) }
        do throws(ChoiceError) {
            try await service.following(spans).choose(all: requests, atOnce: atOnce, into: progress)
        } catch {
            throw CommandError(error).after(progress.summary)
        }
        let took = options.output.wantsTimings ? ContinuousClock.now - start : nil
        return progress.summary.report(
            isStrict: options.shared.isStrict,
            isDryRun: options.output.isDryRun,
            isVerbose: options.shared.isVerbose,
            took: took
        )
    }
}

/// What became of many vaults, counted as they end.
struct BatchSummary: Sendable {
    /// Vaults beyond these are only counted and not named, so that memory stays bounded.
    private static let mostNamed = 10_000

    /// How many vaults there were at the start.
    let total: Int
    private(set) var complete = 0
    private(set) var degraded = 0
    private(set) var short = 0
    private(set) var stored = 0
    private(set) var answered = 0
    private(set) var failed = 0
    /// Of the vaults that were chosen for.
    private(set) var times = BatchTimes()
    private var failures: [(vault: VaultID, error: CommandError)] = []
    private var shortVaults: [VaultID] = []
    private var overdueVaults: [VaultID] = []

    init(total: Int) {
        self.total = total
    }

    var done: Int { complete + degraded + short + failed }

    mutating func count(_ ending: ChoiceEnding) {
        let vault = ending.request.vault
        switch ending.result {
        case .success(let made):
            count(made.outcome, of: vault)
            if made.isOverdue, overdueVaults.count < Self.mostNamed { overdueVaults.append(vault) }
            if made.isEarlier {
                answered += 1
            } else {
                times.add(made.times)
                if made.isStored { stored += 1 }
            }
        case .failure(let error):
            failed += 1
            if failures.count < Self.mostNamed { failures.append((vault, CommandError(error))) }
        }
    }

    private mutating func count(_ outcome: String, of vault: VaultID) {
        switch outcome {
        case "complete": complete += 1
        case "degraded": degraded += 1
        default:
            short += 1
            if shortVaults.count < Self.mostNamed { shortVaults.append(vault) }
        }
    }

    /// One line with a bar, for a terminal.
    var progress: String {
        "\(RunProgressLine.bar(done, of: total)) \(done) of \(max(total, done)) vaults"
            + (failed == 0 ? "" : ", \(failed) failed")
    }

    /// The numbers in one sentence.
    var summary: String {
        var parts = ["\(stored) stored"]
        if answered > 0 { parts.append("\(answered) answered before") }
        if short > 0 { parts.append("\(short) short") }
        if failed > 0 { parts.append("\(failed) failed") }
        return "\(done) of \(max(total, done)) vaults: " + parts.joined(separator: ", ")
    }

    /// Every vault that failed is named, and with `isVerbose` every one that was short; JSON names both in any case.
    ///
    /// With the time that all took, it says where it went.
    func report(isStrict: Bool, isDryRun: Bool, isVerbose: Bool = false, took whole: Duration? = nil) -> TextReport {
        let failures = failures.sorted { $0.vault < $1.vault }
        let shortVaults = shortVaults.sorted()
        var lines = [summary + (isDryRun ? " (dry run)" : "")]
        if let whole { lines.append(times.line(of: done, in: whole)) }
        lines += failures.map {
            "  \($0.vault): " + TerminalText.safe("\($0.error.what), \($0.error.todo)", limit: 400)
        }
        lines += overdueVaults.sorted().map { "  \($0): \(ChoiceService.overdueNote)" }
        if isVerbose { lines += shortVaults.map { "  \($0): short" } }
        let json: JSONValue = [
            "schema": "knot.batch/1", "vaults": .integer(done), "complete": .integer(complete),
            "degraded": .integer(degraded), "short": .integer(short), "failed": .integer(failed),
            "stored": .integer(stored), "answered_before": .integer(answered), "dry_run": .bool(isDryRun),
            "failures": .array(
                failures.map { ["vault_id": .string($0.vault.text), "error": $0.error.json] }
            ),
            "short_vaults": .array(shortVaults.map { .string($0.text) }),
            "past_requests": .array(overdueVaults.sorted().map { .string($0.text) }),
        ]
        var document = json.object ?? JSONObject()
        if let whole { document["timings_ms"] = times.json(of: done, in: whole) }
        return TextReport(json: .object(document), lines: lines, exitCode: exitCode(isStrict: isStrict))
    }

    /// A failure counts more than a short set, and that more than a degraded one; of several failures the one of the vault
    /// with the lowest id speaks, so that the same vaults give the same code.
    private func exitCode(isStrict: Bool) -> ExitCode {
        if let first = failures.min(by: { $0.vault < $1.vault }) { return first.error.code }
        if short > 0 { return .short }
        return isStrict && degraded > 0 ? .degradedUnderStrict : .done
    }
}

extension BatchTimes {
    private func means(of count: Int) -> [(name: String, milliseconds: Double)] {
        [("reading", reading), ("waiting", waiting), ("choosing", choosing), ("storing", storing)].map { name, time in
            (name, Self.milliseconds(time) / Double(max(1, count)))
        }
    }

    /// One sentence.
    fileprivate func line(of count: Int, in whole: Duration) -> String {
        let parts = means(of: count).map { "\($0.name) \(Self.text($0.milliseconds)) ms" }.joined(separator: ", ")
        let rate = Double(count) / max(0.001, Self.milliseconds(whole) / 1_000)
        return "\(Self.text(rate)) vaults a second; of each, \(parts)"
    }

    /// The whole, and the means of a vault.
    fileprivate func json(of count: Int, in whole: Duration) -> JSONValue {
        let parts = means(of: count).map {
            JSONObject.Member(name: $0.name, value: .number(Self.rounded($0.milliseconds)))
        }
        return [
            "whole": .number(Self.rounded(Self.milliseconds(whole))), "mean_of_a_vault": .object(JSONObject(parts)),
        ]
    }

    private static func milliseconds(_ time: Duration) -> Double {
        let (seconds, attoseconds) = time.components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(String(String(hundredths % 100 + 100).dropFirst()))"
    }
}

/// Counts the ends of a batch, and shows how far it is.
final class BatchProgress: ChoiceOutput {
    private let state: Mutex<BatchSummary>
    private let show: @Sendable (String) -> Void

    init(total: Int, show: @escaping @Sendable (String) -> Void) {
        state = Mutex(BatchSummary(total: total))
        self.show = show
    }

    var summary: BatchSummary { state.withLock { $0 } }

    func take(_ endings: [ChoiceEnding]) async {
        let line = state.withLock { summary in
            for ending in endings { summary.count(ending) }
            return summary.progress
        }
        show(line)
    }
}

extension CommandError {
    /// The same error, with how far the batch had come.
    fileprivate func after(_ summary: BatchSummary) -> CommandError {
        CommandError(code, "\(what) (after \(summary.summary))", at: place, todo: todo, problems: problems)
    }
}

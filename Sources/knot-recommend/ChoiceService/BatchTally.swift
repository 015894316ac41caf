import JSONDocument
import KnotDomain
import Synchronization

/// What became of many vaults, counted as they end.
struct BatchTally: Sendable {
    /// How the run of one vault ended.
    enum Ending: Sendable {
        case made(outcome: String, isStored: Bool, BatchTimes)
        /// The request had its set already.
        case answered(outcome: String)
        case failed(CommandError)
    }

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
    /// What kept the batch from going on; nil when it came to its end.
    var stoppedBy: CommandError?

    init(total: Int) {
        self.total = total
    }

    var done: Int { complete + degraded + short + failed }

    mutating func count(_ ending: Ending, of vault: VaultID) {
        switch ending {
        case .made(let outcome, let isStored, let spent):
            count(outcome, of: vault)
            times.add(spent)
            if isStored { stored += 1 }
        case .answered(let outcome):
            count(outcome, of: vault)
            answered += 1
        case .failed(let error):
            failed += 1
            if failures.count < Self.mostNamed { failures.append((vault, error)) }
            // A database that is gone fails every other vault as well.
            if error.isAboutTheDatabase { stoppedBy = stoppedBy ?? error }
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
        "\(RunSteps.bar(done, of: total)) \(done) of \(max(total, done)) vaults"
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
        if isVerbose { lines += shortVaults.map { "  \($0): short" } }
        let json: JSONValue = [
            "schema": "knot.batch/1", "vaults": .integer(done), "complete": .integer(complete),
            "degraded": .integer(degraded), "short": .integer(short), "failed": .integer(failed),
            "stored": .integer(stored), "answered_before": .integer(answered), "dry_run": .bool(isDryRun),
            "failures": .array(
                failures.map { ["vault_id": .string($0.vault.text), "error": $0.error.json] }
            ),
            "short_vaults": .array(shortVaults.map { .string($0.text) }),
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

extension CommandError {
    /// True for what would meet every other vault as well.
    var isAboutTheDatabase: Bool {
        switch code {
        case .unavailable, .notPermitted, .configuration, .inputOutput: true
        // A run that was out of time says nothing of the next vault's.
        case .tryAgain: place.hasPrefix("database ")
        default: false
        }
    }

    /// The same error, with how far the batch had come.
    func after(_ tally: BatchTally) -> CommandError {
        CommandError(code, "\(what) (after \(tally.summary))", at: place, todo: todo, problems: problems)
    }
}

/// Where the time of runs goes, summed over vaults: they overlap where several are under way.
struct BatchTimes: Sendable {
    var reading = Duration.zero
    /// For a turn.
    var waiting = Duration.zero
    var choosing = Duration.zero
    var storing = Duration.zero

    mutating func add(_ other: BatchTimes) {
        reading += other.reading
        waiting += other.waiting
        choosing += other.choosing
        storing += other.storing
    }

    private func means(of count: Int) -> [(name: String, milliseconds: Double)] {
        [("reading", reading), ("waiting", waiting), ("choosing", choosing), ("storing", storing)].map { name, time in
            (name, Self.milliseconds(time) / Double(max(1, count)))
        }
    }

    /// One sentence.
    func line(of count: Int, in whole: Duration) -> String {
        let parts = means(of: count).map { "\($0.name) \(Self.text($0.milliseconds)) ms" }.joined(separator: ", ")
        let rate = Double(count) / max(0.001, Self.milliseconds(whole) / 1_000)
        return "\(Self.text(rate)) vaults a second; of each, \(parts)"
    }

    /// The whole, and the means of a vault.
    func json(of count: Int, in whole: Duration) -> JSONValue {
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

/// Where the stages of a batch note what became of each vault.
final class BatchBoard: Sendable {
    private let state: Mutex<BatchTally>
    private let show: @Sendable (String) -> Void

    /// Shows how far the batch is whenever that changes.
    init(total: Int, show: @escaping @Sendable (String) -> Void) {
        state = Mutex(BatchTally(total: total))
        self.show = show
    }

    var tally: BatchTally { state.withLock { $0 } }

    /// True when nothing more is to be begun.
    var isStopped: Bool { state.withLock { $0.stoppedBy != nil } }

    func count(_ endings: [(vault: VaultID, ending: BatchTally.Ending)]) {
        guard !endings.isEmpty else { return }
        let progress = state.withLock { tally in
            for (vault, ending) in endings { tally.count(ending, of: vault) }
            return tally.progress
        }
        show(progress)
    }

    /// Ends the batch before its last vault.
    func stop(_ error: CommandError) {
        state.withLock { $0.stoppedBy = $0.stoppedBy ?? error }
    }
}

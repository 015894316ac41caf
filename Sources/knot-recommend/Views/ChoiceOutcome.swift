import JSONDocument
import Recommendation
import StageGraph
import Synchronization

/// Prints what a run came to and maps its outcome to an exit code; `run`, `refresh` and `replay` end the same way.
enum ChoiceOutcome {
    /// The files a run was asked to leave behind.
    struct Files: Sendable {
        var record: String?
        var trace: String?
    }

    static func finish(
        _ report: ChoiceReport,
        _ shared: SharedOptions,
        files: Files,
        explains: Bool,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let code = try exitCode(of: report.result, isStrict: shared.isStrict)
        // Files first: a closed pipe must not keep a recording from being kept.
        try await write(report, files, context)
        for note in report.notes { context.note(note) }
        for (path, bytes) in [(files.record, report.record), (files.trace, report.trace)] where bytes == nil {
            if let path { context.note("nothing was run, so that \(path) was not written") }
        }
        if context.isJSON {
            try context.print(explains ? explained(report) : report.result)
        } else {
            let view = CardView(terminal: context.terminal, isVerbose: shared.isVerbose)
            let explanation = explains && !report.explanation.isEmpty ? [""] + report.explanation : []
            try context.print(view.lines(report.result) + explanation)
        }
        return code
    }

    /// Writes the files, and takes them back where their vault was forgotten meanwhile.
    private static func write(
        _ report: ChoiceReport,
        _ files: Files,
        _ context: CommandContext
    ) async throws(CommandError) {
        let asked = [(files.record, report.record), (files.trace, report.trace)]
        let all = asked.compactMap { path, bytes in path.flatMap { path in bytes.map { (path, $0) } } }
        guard !all.isEmpty else { return }
        let vault = report.isOfTheDatabase ? report.result["vault_id"]?.string : nil
        let written = WrittenFiles(context.environment)
        if let vault { for (path, _) in all { try written.note(path, vault: vault) } }
        FailPoint.reach("record_noted")
        for (path, bytes) in all { try AtomicFile.write(bytes, to: path) }
        FailPoint.reach("record_written")
        guard let vault, let isStillThere = report.isStillThere, await !isStillThere() else { return }
        for (path, _) in all { try written.take(back: path, vault: vault) }
        throw CommandError(
            .notFound,
            "the vault was forgotten meanwhile, and what was written of it is removed",
            at: "vault \(vault)",
            todo: "nothing is left to do"
        )
    }

    private static func explained(_ report: ChoiceReport) -> JSONValue {
        guard var object = report.result.object, let explanation = report.explanationJSON else { return report.result }
        object["explanation"] = explanation
        return .object(object)
    }

    /// Short is 11, degraded is 10 where that was asked for; an outcome nobody knows is a fault of ours.
    static func exitCode(of result: JSONValue, isStrict: Bool) throws(CommandError) -> ExitCode {
        switch result["outcome"]?.string {
        case "complete": return .done
        case "degraded": return isStrict ? .degradedUnderStrict : .done
        case "short": return .short
        case let other:
            throw CommandError(
                .internalFault,
                "the run ended with an unknown outcome \(other ?? "(none)")",
                at: "the result",
                todo: "report it with the command line"
            )
        }
    }
}

/// What a run came to: the result and the files that were asked for.
struct ChoiceReport: Sendable {
    /// `knot.choice/1`, printed as it is.
    let result: JSONValue
    /// Why these three, as lines for people; printed with `--explain`.
    var explanation: [String] = []
    /// Why these three, for programs; printed as the member `explanation` with `--explain --json`.
    var explanationJSON: JSONValue?
    /// The recording, when one was asked for.
    var record: [UInt8]?
    /// The trace as NDJSON, when one was asked for.
    var trace: [UInt8]?
    /// Whether it is about a vault of the database, whose files must be found again when it is forgotten.
    var isOfTheDatabase = false
    /// Whether that vault is still there; true also where nobody can tell.
    var isStillThere: (@Sendable () async -> Bool)?
    /// Things to say on standard error that belong to no result.
    var notes: [String] = []
}

extension ChoiceReport {
    /// What a replayed run prints; a failed one throws what its failure means.
    init(
        _ run: EngineRun,
        identity: (ChoiceOfThree) -> RunIdentity,
        input: String,
        wantsTimings: Bool,
        traceTexts: TraceRedaction?
    ) throws(CommandError) {
        switch run.result {
        case .failure(let failure): throw CommandError(failure, at: run.report.failedNode, input: input)
        case .success(let choices):
            guard let document = ChoiceDocument(run) else {
                throw CommandError(.internalFault, "a finished run has no result", at: input, todo: "report it")
            }
            let json = document.json(identity: identity(choices))
            self.init(
                result: wantsTimings ? TimingsDocument.added(to: json, run.report) : json,
                trace: traceTexts.map { run.report.trace.ndjson(redaction: $0) }
            )
        }
    }
}

/// How far a run is, in words for who waits for it: one bar, and what is being done.
final class RunSteps: Sendable {
    private struct State {
        var ended: Set<NodeID> = []
        var shown = ""
    }

    private let roles: [NodeID: StageRole]
    private let state = Mutex(State())

    init(_ plan: Plan) {
        roles = Dictionary(plan.nodes.map { ($0.id, $0.stage.role) }) { first, _ in first }
    }

    /// The line after a step; nil when it says what the last one said.
    func line(after step: RunProgress.Step, of node: NodeID) -> String? {
        state.withLock { state in
            if case .ended = step { state.ended.insert(node) }
            let text = Self.bar(state.ended.count, of: roles.count) + " " + words(step, node)
            guard text != state.shown else { return nil }
            state.shown = text
            return text
        }
    }

    /// `[#####...............]`.
    static func bar(_ done: Int, of total: Int) -> String {
        let filled = total <= 0 ? 20 : min(20, max(0, done * 20 / total))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled) + "]"
    }

    /// `asking yelp`: what the node does, and which of its kind it is.
    private func words(_ step: RunProgress.Step, _ node: NodeID) -> String {
        let name = node.text.replacing("_", with: " ")
        let doing =
            switch roles[node] {
            case .reader: "reading the vault and its hints"
            case .retriever: "looking for the hints that matter"
            case .planner: "thinking of what to ask for"
            case .source: "asking \(name)"
            case .aggregator: "putting the answers together"
            case .relater: "comparing words and meaning"
            case .filter: "leaving out what does not fit (\(name))"
            case .scorer: "weighing (\(name))"
            case .shortlist, .combiner: "ranking"
            case .selector: "choosing three"
            case .check: "checking that they can be had"
            case .presenter: "saying why"
            case .sink, nil: "finishing"
            }
        switch step {
        case .started(let attempt) where attempt > 1: return "\(doing), attempt \(attempt)"
        case .ended(.failed), .ended(.timedOut): return "\(doing): no answer"
        default: return doing
        }
    }
}

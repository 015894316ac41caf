package import ChoiceService
import ChoiceText
package import Console
import Explanation
package import JSONDocument
package import Recommendation
package import StageGraph

extension ChoiceService {
    /// Asks the service and reports what came of it, with all that was asked for besides.
    package func report(
        _ request: ChoiceRequest,
        _ shared: SharedOptions,
        _ output: OutputOptions,
        _ context: CommandContext,
        of outside: LiveOutside? = nil,
        notes: [String] = []
    ) async throws(CommandError) -> ChoiceReport {
        var watch = RunWatch.shown(by: context, records: output.record != nil)
        if let outside {
            watch.observers += outside.observers
            watch.check = { () throws(ChoiceError) in
                do throws(CommandError) {
                    try outside.checkPlayed()
                } catch {
                    throw .port(error)
                }
            }
        }
        let answer = try await reporting {
            try await choose(request, watch)
        }
        guard let run = answer.run else { return ChoiceReport(result: answer.document, notes: answer.notes) }
        let report = run.run.report
        var made = ChoiceReport(
            result: output.wantsTimings ? TimingsDocument.added(to: answer.document, report) : answer.document,
            record: output.record.map { _ in run.recording() },
            trace: output.trace.map { _ in
                report.trace.ndjson(redaction: output.wantsTraceTexts ? .none : .vaultTexts)
            },
            notes: notes + answer.notes
        )
        if run.prepared.isKept { made.vaults = vaults }
        if output.wantsExplanation {
            let explanation = RunExplanation(run.run, showsHints: true)
            made.explanation = explanation.lines()
            made.explanationJSON = explanation.json()
        }
        return made
    }
}

/// What a run came to: the result and the files that were asked for.
package struct ChoiceReport: Sendable {
    /// `knot.choice/1`, printed as it is.
    package let result: JSONValue
    /// Why these three, as lines for people; printed with `--explain`.
    package var explanation: [String] = []
    /// Why these three, for programs; printed as the member `explanation` with `--explain --json`.
    package var explanationJSON: JSONValue?
    /// The recording, when one was asked for.
    package var record: [UInt8]?
    /// The trace as NDJSON, when one was asked for.
    package var trace: [UInt8]?
    /// The vaults of the database that it is about one of: its files must be found again when that is forgotten.
    package var vaults: (any VaultLoading)?
    /// Things to say on standard error that belong to no result.
    package var notes: [String] = []
}

extension ChoiceReport {
    /// What a replayed run prints; a failed one throws what its failure means.
    package init(
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

/// How long a run and its nodes took, in milliseconds: printed only when asked for, since no two runs measure the same.
package enum TimingsDocument {
    package static func json(_ report: RunReport) -> JSONValue {
        let nodes = report.nodes.compactMap { node -> JSONObject.Member? in
            guard let started = node.started, let ended = node.ended else { return nil }
            return JSONObject.Member(name: node.node.text, value: .number(milliseconds(ended - started)))
        }
        return ["total": .number(milliseconds(report.elapsed)), "nodes": .object(JSONObject(nodes))]
    }

    /// A result with its member `timings_ms`.
    package static func added(to result: JSONValue, _ report: RunReport) -> JSONValue {
        guard var object = result.object else { return result }
        object["timings_ms"] = json(report)
        return .object(object)
    }

    /// To the microsecond: more digits would be noise.
    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1_000
    }
}

extension RunWatch {
    /// Shows how far a run is.
    package static func shown(by context: CommandContext, records: Bool = false) -> RunWatch {
        RunWatch(records: records, observers: [RunProgressLine { context.progress($0) }])
    }
}

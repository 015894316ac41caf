import JSONDocument
import Recommendation
import StageGraph

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

import Evaluation
import KnotDomain
import Recommendation
import StageGraph

extension EngineHooks {
    /// Adds `evaluate`: figures with intervals, two pipelines against one another, and the effect of one parameter.
    mutating func addEvaluating(_ pipelines: PipelineDesk) {
        evaluate = { (options, context) async throws(CommandError) in
            let summary = try await EvaluationDesk(pipelines: pipelines, options: options).summary(context)
            return EvaluationReport(
                rows: EvaluationDocument(summary).rows,
                lines: EvaluationTable(summary, isVerbose: options.shared.isVerbose).lines,
                csv: options.format == .csv ? EvaluationCSV(summary).text : nil,
                page: options.report == nil ? nil : ReportPage(summary).html,
                keepsGates: summary.evaluation.keepsGates
            )
        }
    }
}

extension PipelineDesk {
    /// Whether a pipeline makes a plan, as a finding of `doctor`; without options nothing is laid over it.
    func check(_ pipeline: PipelineReference, _ options: SharedOptions?) -> DoctorCheck {
        let name = "pipeline"
        do throws(CommandError) {
            let report = try report(pipeline, experiment: options?.experiment, settings: options?.parameters ?? [])
            if let first = report.problems.first {
                let more = report.problems.count > 1 ? " (and \(report.problems.count - 1) more: see check)" : ""
                return DoctorCheck(name, .failure, "\(pipeline): \(first.line)\(more)")
            }
            if let first = report.warnings.first { return DoctorCheck(name, .warning, "\(pipeline): \(first.line)") }
            return DoctorCheck(name, .fine, "\(pipeline) (\(report.hash?.prefix(12) ?? ""))")
        } catch {
            return DoctorCheck(name, .failure, "\(pipeline): \(error.what), \(error.place)")
        }
    }
}

package import StageGraph

/// What came of a run: the set, or why there is none, and the whole report behind it.
package struct EngineRun: Sendable {
    package let plan: Plan
    package let seed: UInt64
    package let report: RunReport
    package let result: Result<ChoiceOfThree, StageFailure>

    init(plan: Plan, seed: UInt64, report: RunReport) {
        self.plan = plan
        self.seed = seed
        self.report = report
        do throws(StageFailure) {
            result = .success(try report.result(as: ChoiceOfThree.self))
        } catch {
            result = .failure(error)
        }
    }

    package var outcome: Outcome {
        switch result {
        case .failure: .failed
        case .success(let choices) where choices.isShort: .short
        case .success: report.isDegraded ? .degraded : .complete
        }
    }

    /// Whether the sink said that the set is stored.
    package var isStored: Bool {
        plan.nodes.contains { $0.stage.role == .sink && report.output(of: $0.id, as: Bool.self) == true }
    }
}

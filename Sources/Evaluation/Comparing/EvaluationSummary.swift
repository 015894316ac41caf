/// A whole evaluation: one pipeline, perhaps against another, with segments and perhaps a sweep.
package struct EvaluationSummary: Sendable {
    package let evaluation: PipelineEvaluation
    package let comparison: PipelineComparison?
    package let segments: [SegmentFigures]
    package let sweep: Sweep?
    /// How the readings came, in words.
    package let readings: String
    package let seed: UInt64

    package init(
        _ evaluation: PipelineEvaluation,
        against old: PipelineEvaluation? = nil,
        sweep: Sweep? = nil,
        readings: String,
        seed: UInt64
    ) {
        self.evaluation = evaluation
        let bootstrap = Bootstrap(topics: evaluation.vaults.count, seed: seed)
        comparison = old.map { PipelineComparison(of: evaluation, against: $0, bootstrap, seed: seed) }
        segments = SegmentFigures.all(of: evaluation, against: old, seed: seed)
        self.sweep = sweep
        self.readings = readings
        self.seed = seed
    }

    package var vaultCount: Int { evaluation.vaults.count }

    /// The figures beside the tested ones; what repeats those because every card was judged is left out.
    package var othersWorthShowing: [Figure] {
        let everythingIsJudged = [evaluation, comparison?.old].compactMap(\.self).allSatisfy { $0.mean(.judged) == 1 }
        let repeating: [Figure] = everythingIsJudged ? [.judged, .condensedPrecision, .condensedNDCG] : []
        return Figure.allCases.filter { !Figure.tested.contains($0) && !repeating.contains($0) }
    }
}

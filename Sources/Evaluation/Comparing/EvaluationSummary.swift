/// A whole evaluation: one pipeline, perhaps against another, with segments and perhaps a sweep.
package struct EvaluationSummary: Sendable {
    package let evaluation: PipelineEvaluation
    package let comparison: PipelineComparison?
    package let segments: [SegmentFigures]
    package let sweep: Sweep?
    /// How the readings came, in words.
    package let readings: String
    package let seed: UInt64
    /// What made these figures; nil where nobody says.
    package let provenance: Provenance?

    package init(
        _ evaluation: PipelineEvaluation,
        against old: PipelineEvaluation? = nil,
        sweep: Sweep? = nil,
        readings: String,
        seed: UInt64,
        provenance: Provenance? = nil
    ) {
        self.provenance = provenance
        self.evaluation = evaluation
        let bootstrap = Bootstrap(topics: evaluation.vaults.count, seed: seed)
        comparison = old.map { PipelineComparison(of: evaluation, against: $0, bootstrap, seed: seed) }
        segments = SegmentFigures.all(of: evaluation, against: old, seed: seed)
        self.sweep = sweep
        self.readings = readings
        self.seed = seed
    }

    package var vaultCount: Int { evaluation.vaults.count }
    package var judgedCount: Int { evaluation.vaults.count(where: \.isJudged) }

    /// How many vaults there are, and how many of them are judged.
    package var vaultWords: String {
        switch judgedCount {
        case vaultCount: FigureText.plural(vaultCount, "judged vault", "judged vaults")
        case 0: "\(FigureText.plural(vaultCount, "vault", "vaults")) without judgments"
        default: "\(FigureText.plural(vaultCount, "vault", "vaults")), \(judgedCount) of them judged"
        }
    }

    /// The tested figures that have a value anywhere.
    package var testedFigures: [Figure] { Figure.tested.filter(isDefined) }

    /// The figures beside the tested ones that say something: not what repeats those because every card was judged, and
    /// no gap where every selection is exact.
    package var othersWorthShowing: [Figure] {
        let everythingIsJudged = evaluations.allSatisfy { $0.mean(.judged) == 1 }
        var silent: Set<Figure> = everythingIsJudged ? [.judged, .condensedPrecision, .condensedNDCG, .kinds] : []
        if evaluations.allSatisfy({ $0.mean(.optimalityGap) ?? 0 == 0 }) { silent.insert(.optimalityGap) }
        return Figure.allCases.filter { !Figure.tested.contains($0) && !silent.contains($0) && isDefined($0) }
    }

    private var evaluations: [PipelineEvaluation] { [evaluation, comparison?.old].compactMap(\.self) }

    private func isDefined(_ figure: Figure) -> Bool {
        // Without a single vault there is nothing to leave out either.
        vaultCount == 0 || evaluations.contains { $0.mean(figure) != nil }
    }
}

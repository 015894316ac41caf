/// Two pipelines over the same vaults: every tested figure, and the vaults that changed most.
package struct PipelineComparison: Sendable {
    package let new: PipelineEvaluation
    package let old: PipelineEvaluation
    package let figures: [FigureComparison]

    init(of new: PipelineEvaluation, against old: PipelineEvaluation, _ bootstrap: Bootstrap, seed: UInt64) {
        self.new = new
        self.old = old
        let paired = Figure.tested.map { figure in
            let pairs = zip(old.vaults, new.vaults).map { ($0[figure], $1[figure]) }
            let difference = PairedDifference(from: pairs.map(\.0), to: pairs.map(\.1))
            let values = pairs.map { pair in pair.0.flatMap { first in pair.1.map { $0 - first } } }
            return (figure, difference, Estimate(values, bootstrap), Self.p(of: difference, seed: seed))
        }
        let known = paired.compactMap(\.3)
        var adjusted = HolmAdjustment.adjusted(known)[...]
        figures = paired.map { figure, difference, estimate, p in
            FigureComparison(
                figure: figure,
                difference: difference,
                estimate: estimate,
                p: p,
                holmP: p.flatMap { _ in adjusted.popFirst() }
            )
        }
    }

    private static func p(of difference: PairedDifference, seed: UInt64) -> Double? {
        SignFlipTest.twoSidedP(difference.sample.values, seed: seed)
    }

    package subscript(figure: Figure) -> FigureComparison? { figures.first { $0.figure == figure } }

    /// The vaults whose set changed, the largest change of nDCG and grade first; equals keep the order of the fixtures.
    package func mostChanged(_ limit: Int) -> [(old: EvaluatedVault, new: EvaluatedVault)] {
        let changed = zip(old.vaults, new.vaults).enumerated().filter { _, pair in
            pair.0.cards.map(\.candidate) != pair.1.cards.map(\.candidate)
        }
        let sorted = changed.sorted { left, right in
            let (first, second) = (Self.change(left.element), Self.change(right.element))
            return first != second ? first > second : left.offset < right.offset
        }
        return sorted.prefix(limit).map { ($0.element.0, $0.element.1) }
    }

    /// How far apart two results of one vault are: a gate broken or repaired weighs as much as three grades.
    private static func change(_ pair: (EvaluatedVault, EvaluatedVault)) -> Double {
        func change(_ figure: Figure) -> Double {
            guard let before = pair.0[figure], let after = pair.1[figure] else { return 0 }
            return (after - before).magnitude
        }
        let gates = Gate.allCases.reduce(0) { $0 + (pair.1.count($1) - pair.0.count($1)).magnitude }
        return change(.meanGrade) * 3 + Double(gates) * 3 + change(.ndcg)
    }
}

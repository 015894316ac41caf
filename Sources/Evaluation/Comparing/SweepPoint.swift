/// What one value of a swept parameter came to.
package struct SweepPoint: Sendable {
    package let value: Double
    package let evaluation: PipelineEvaluation
    /// Of the mean grade against the value the pipeline has.
    package let difference: Estimate
    /// By paired sign-flip, uncorrected: a sweep looks for an effect, it does not prove one.
    package let p: Double?

    package init(value: Double, evaluation: PipelineEvaluation, base: PipelineEvaluation, seed: UInt64) {
        self.value = value
        self.evaluation = evaluation
        let pairs = zip(base.vaults, evaluation.vaults).map { ($0[.meanGrade], $1[.meanGrade]) }
        let paired = PairedDifference(from: pairs.map(\.0), to: pairs.map(\.1))
        difference = Estimate(
            pairs.map { pair in pair.0.flatMap { first in pair.1.map { $0 - first } } },
            Bootstrap(topics: pairs.count, seed: seed)
        )
        p = SignFlipTest.twoSidedP(paired.sample.values, seed: seed)
    }
}

/// A figure that every vault has a value of, or an undefined one.
package enum Figure: String, CaseIterable, Sendable {
    case precision = "precision_at_3"
    case dcg = "dcg_at_3"
    case ndcg = "ndcg_at_3"
    case meanGrade = "mean_grade"
    case delight = "any_grade_3"
    case calibrationRegret = "calibration_regret"
    case diversity = "intra_list_diversity"
    case novelty
    case judged = "judged_at_3"
    case condensedPrecision = "condensed_precision_at_3"
    case condensedNDCG = "condensed_ndcg_at_3"
    case kinds = "types_of_3"
    case optimalityGap = "optimality_gap_percent"

    /// The name wherever it is shown, in at most 16 columns.
    package var title: String {
        switch self {
        case .precision: "P(>=2)@3"
        case .dcg: "DCG@3"
        case .ndcg: "nDCG@3"
        case .meanGrade: "mean grade"
        case .delight: "any grade 3"
        case .calibrationRegret: "type mix regret"
        case .diversity: "diversity (ILD)"
        case .novelty: "novelty"
        case .judged: "judged@3"
        case .condensedPrecision: "condensed P@3"
        case .condensedNDCG: "condensed nDCG@3"
        case .kinds: "types of 3"
        case .optimalityGap: "optimality gap %"
        }
    }

    /// One sentence on what it says.
    package var meaning: String {
        switch self {
        case .precision: "the share of the three cards that a judge calls good or better"
        case .dcg: "the sum of grades, later cards counting less; not normalised"
        case .ndcg: "that sum over the best any three judged items could have"
        case .meanGrade: "the mean grade of the three, 0 poor to 3 delight; a missing card counts 0"
        case .delight: "the share of vaults with a card that would delight"
        case .calibrationRegret:
            "how much further the mix of types is from that of the good items than it need be, in bits"
        case .diversity: "how different the three cards' words are, 0 the same to 1 nothing in common"
        case .novelty: "how little reviewed the cards are against the most reviewed of their pool, in bits"
        case .judged: "the share of the three places with a card that somebody judged"
        case .condensedPrecision: "P(>=2)@3 after leaving out what nobody judged"
        case .condensedNDCG: "nDCG@3 after leaving out what nobody judged"
        case .kinds: "how many of gift, experience and date are among the three"
        case .optimalityGap:
            "how far a greedy selection falls below the best set on its own objective, in percent of the best"
        }
    }

    package var isBetterWhenHigher: Bool { self != .calibrationRegret && self != .optimalityGap }

    /// Those that two systems are tested on; Holm's correction is over these.
    package static let tested: [Figure] = [
        .precision, .dcg, .ndcg, .meanGrade, .delight, .calibrationRegret, .diversity,
    ]

    /// How much worse is still "no worse"; set before anybody looked, nil where no such claim is made.
    package var margin: Double? {
        switch self {
        case .ndcg: 0.01
        case .precision: 0.02
        default: nil
        }
    }
}

/// One figure of two pipelines, vault by vault.
package struct FigureComparison: Sendable {
    package let figure: Figure
    /// New minus old.
    package let difference: PairedDifference
    package let estimate: Estimate
    /// By paired sign-flip; nil where there is nothing to compare.
    package let p: Double?
    /// After Holm's correction over all tested figures.
    package let holmP: Double?

    /// Whether the difference is in the right direction; nil where there is none.
    package var isImprovement: Bool? {
        guard let mean = difference.mean, mean != 0 else { return nil }
        return (mean > 0) == figure.isBetterWhenHigher
    }

    /// One-sided p of being worse by the figure's margin or more; nil where no margin was set.
    package var nonInferiorityP: Double? { figure.margin.flatMap { difference.nonInferiorityP(margin: $0) } }
    package var equivalenceP: Double? { figure.margin.flatMap { difference.equivalenceP(margin: $0) } }

    /// The smallest difference that this many vaults would show in 80 of 100 cases, at 5 % two-sided.
    package var smallestVisible: Double? {
        difference.sample.standardDeviation.map { $0 * (7.85 / Double(difference.sample.count)).squareRoot() }
    }
}

/// A mean with its interval and what it rests on.
package struct Estimate: Sendable, Hashable {
    /// Nil where no vault has a value.
    package let mean: Double?
    /// By bootstrap at 95 %; nil below two values.
    package let interval: ClosedRange<Double>?
    package let count: Int
    package let undefinedCount: Int

    init(_ values: [Double?], _ bootstrap: Bootstrap) {
        let defined = DefinedMean(values)
        mean = defined.mean
        count = defined.count
        undefinedCount = defined.undefinedCount
        interval = bootstrap.interval(of: values)
    }
}

/// A part of the vaults that is looked at by itself.
package struct Segment: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        case tier
        case loveLanguage = "love_language"
        case hints
        case coldStart = "cold_start"

        package var title: String {
            switch self {
            case .tier: "occasion"
            case .loveLanguage: "love language"
            case .hints: "hints"
            case .coldStart: "what is known"
            }
        }
    }

    package let kind: Kind
    package let name: String

    /// Below this many vaults a segment is shown and decides nothing.
    package static let smallestDeciding = 20
}

/// The effect of one parameter over a range, everything else as it is.
package struct Sweep: Sendable {
    /// `node.parameter`.
    package let name: String
    /// What the pipeline itself has.
    package let base: Double?
    package let points: [SweepPoint]

    package init(name: String, base: Double?, points: [SweepPoint]) {
        self.name = name
        self.base = base
        self.points = points
    }
}

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

/// How many vaults have which mean grade: three grades of 0 to 3 have one of ten means.
package struct GradeDistribution: Sendable, Hashable {
    /// 0, a third, two thirds, and so on to 3.
    package static let grades = (0...9).map { Double($0) / 3 }

    /// One for each of those grades.
    package let counts: [Int]
    /// Vaults without a mean grade.
    package let ungradedCount: Int

    package init(_ evaluation: PipelineEvaluation) {
        var counts = [Int](repeating: 0, count: Self.grades.count)
        var ungraded = 0
        for vault in evaluation.vaults {
            guard let grade = vault[.meanGrade] else {
                ungraded += 1
                continue
            }
            counts[min(counts.count - 1, max(0, Int((grade * 3).rounded())))] += 1
        }
        self.counts = counts
        ungradedCount = ungraded
    }

    package var gradedCount: Int { counts.reduce(0, +) }
}

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

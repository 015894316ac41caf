import Evaluation

/// A figure of one ranking.
package enum RetrievalMetric: String, CaseIterable, Sendable {
    case ndcg3, ndcg10, precision3, reciprocalRank

    package var name: String {
        switch self {
        case .ndcg3: "nDCG@3"
        case .ndcg10: "nDCG@10"
        case .precision3: "P@3"
        case .reciprocalRank: "MRR"
        }
    }

    func value(_ metrics: RankingMetrics) -> Double? {
        switch self {
        case .ndcg3: metrics.ndcg(at: 3)
        case .ndcg10: metrics.ndcg(at: 10)
        case .precision3: metrics.precision(at: 3)
        case .reciprocalRank: metrics.reciprocalRank()
        }
    }
}

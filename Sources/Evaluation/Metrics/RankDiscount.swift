#if canImport(Glibc)
import Glibc
#endif

/// How much less a later place counts.
package enum RankDiscount: Sendable, CaseIterable {
    /// 1 / log2(rank + 1), as trec_eval, ranx and most papers have it: 1, 0.63, 0.5.
    case standard
    /// 1 / log2(max(rank, 2)), lenskit's own: the first two places weigh the same.
    case flatStart

    /// The weight of a place, counted from 1.
    func weight(rank: Int) -> Double {
        switch self {
        case .standard: 1 / log2(Double(rank + 1))
        case .flatStart: 1 / log2(Double(max(rank, 2)))
        }
    }
}

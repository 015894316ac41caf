#if canImport(Glibc)
import Glibc
#endif

/// What a grade is worth; negative grades are worth nothing.
package enum GainScale: Sendable, CaseIterable {
    /// The grade itself.
    case linear
    /// 2^grade - 1.
    case exponential
    /// 1 for whatever is relevant.
    case binary

    func gain(_ grade: Int, relevantFrom: Int) -> Double {
        switch self {
        case .linear: Double(max(0, grade))
        case .exponential: exp2(Double(max(0, grade))) - 1
        case .binary: grade >= relevantFrom ? 1 : 0
        }
    }
}

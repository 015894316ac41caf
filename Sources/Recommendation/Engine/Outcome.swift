/// How a run ended.
package enum Outcome: String, CaseIterable, Sendable {
    case complete
    /// Three choices, with reasons why they could have been better.
    case degraded
    /// Fewer than three.
    case short
    case failed
}

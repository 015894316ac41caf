import HTTPClient
import Synchronization

/// Tells a notice that a receiver will not take from a receiver that takes none.
///
/// A refusal counts against the notice only if others were accepted since it was refused before. Refusals in a row open a
/// circuit breaker.
final class RefusalWatch: Sendable {
    private struct State {
        var breaker: CircuitBreaker
        /// How many notices were accepted when each was refused first.
        var refusedAt: [NoticeID: Int] = [:]
        var accepted = 0
    }

    /// Refused notices that are remembered; beyond that each is tried once more.
    private static let mostRemembered = 10_000

    private let state: Mutex<State>

    init() {
        var limits = CircuitBreaker.Limits()
        // The share of refusals says nothing: a receiver may refuse many notices of one kind and take all others.
        limits.leastCalls = .max
        limits.consecutive = 5
        limits.longestOpen = .seconds(900)
        limits.probes = 1
        state = Mutex(State(breaker: CircuitBreaker(limits)))
    }

    /// Asks to send a notice; the answer to it is reported, or the permit withdrawn.
    func permit(at now: ContinuousClock.Instant) -> CircuitBreaker.Permit {
        state.withLock { $0.breaker.permit(at: now) }
    }

    /// Reports that no answer said whether notices are taken.
    func withdraw(_ permit: CircuitBreaker.Permit) { state.withLock { $0.breaker.withdraw(permit) } }

    func accepted(
        _ notice: NoticeID,
        _ permit: CircuitBreaker.Permit,
        at now: ContinuousClock.Instant
    ) {
        state.withLock { state in
            state.accepted += 1
            state.refusedAt[notice] = nil
            state.breaker.report(true, permit, at: now, jitter: Double.random(in: 0...1))
        }
    }

    /// Returns whether the refusal is final.
    func refused(
        _ notice: NoticeID,
        _ permit: CircuitBreaker.Permit,
        at now: ContinuousClock.Instant
    )
        -> Bool
    {
        state.withLock { state in
            state.breaker.report(false, permit, at: now, jitter: Double.random(in: 0...1))
            guard let accepted = state.refusedAt[notice] else {
                if state.refusedAt.count >= Self.mostRemembered { state.refusedAt = [:] }
                state.refusedAt[notice] = state.accepted
                return false
            }
            guard state.accepted > accepted else { return false }
            state.refusedAt[notice] = nil
            return true
        }
    }
}

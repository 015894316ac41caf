package import Recommendation

/// The time that a search has, whichever of its ways finds something in it.
package struct SearchTime: Sendable {
    /// What is found after it comes too late.
    package let end: ContinuousClock.Instant

    package init(until end: ContinuousClock.Instant) { self.end = end }

    /// As long as a run waits for the answer, less what handing it over takes, and no longer than the limit.
    package init(for query: ProviderQuery, atMost limit: Duration) {
        let now = ContinuousClock.now
        let given = query.answerBy.map { now.duration(to: $0) * 0.9 } ?? limit
        end = now + max(.zero, min(limit, given))
    }

    package var isOver: Bool { ContinuousClock.now >= end }

    /// When half of what is left is over, so that there is time for asking for less.
    package var half: ContinuousClock.Instant {
        let now = ContinuousClock.now
        return now + max(.zero, now.duration(to: end)) / 2
    }
}

package import KnotDomain
package import Recommendation
import Synchronization

/// What was found out about pages, for as long as it is good, and when each host may be looked at again.
package final class PageMemory: Sendable {
    package struct Key: Sendable, Hashable {
        package let url: String
        package let currency: Currency
        /// What is looked for on the page, which may be one of several things there.
        package let title: String
        package let priceCents: Int?
        /// Of several dates that a page has.
        package let startsAt: Instant?

        package init(
            url: String,
            currency: Currency,
            title: String = "",
            priceCents: Int? = nil,
            startsAt: Instant? = nil
        ) {
            self.url = url
            self.currency = currency
            self.title = title
            self.priceCents = priceCents
            self.startsAt = startsAt
        }

        init(_ candidate: Candidate) {
            self.init(
                url: candidate.url,
                currency: candidate.currency,
                title: candidate.title,
                priceCents: candidate.priceCents,
                startsAt: candidate.startsAt
            )
        }
    }

    private struct Entry {
        let finding: AvailabilityProbe
        let end: ContinuousClock.Instant
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// When each host may be looked at next.
        var turns: [String: ContinuousClock.Instant] = [:]
        /// The turns that looks to come have been promised, by page.
        var promised: [Key: ContinuousClock.Instant] = [:]

        mutating func takeTurn(
            at host: String,
            now: ContinuousClock.Instant,
            spacing: Duration,
            by deadline: ContinuousClock.Instant
        ) -> ContinuousClock.Instant? {
            let turn = max(turns[host] ?? now, now)
            guard turn < deadline else { return nil }
            turns[host] = turn + spacing
            return turn
        }
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: How many findings are kept; those that end first make room.
    package init(most: Int = 10_000) {
        self.most = max(1, most)
    }

    package var count: Int { state.withLock { $0.entries.count } }

    /// What is known of a page; nil where nothing is, or what was known is no longer good.
    package func finding(_ key: Key, at now: ContinuousClock.Instant) -> AvailabilityProbe? {
        state.withLock { state in
            guard let entry = state.entries[key], entry.end > now else { return nil }
            return entry.finding
        }
    }

    package func keep(_ finding: AvailabilityProbe, of key: Key, until end: ContinuousClock.Instant) {
        state.withLock { state in
            state.entries[key] = Entry(finding: finding, end: end)
            guard state.entries.count > most else { return }
            // A tenth goes at once, so that the rest need not be sorted for each that comes.
            let first = state.entries.sorted { $0.value.end < $1.value.end }.prefix(max(1, most / 10))
            for (key, _) in first { state.entries[key] = nil }
        }
    }

    /// Takes the turn at a host that a page was promised, or the next one; nil where that comes after the deadline.
    func turn(
        at host: String,
        of key: Key? = nil,
        now: ContinuousClock.Instant,
        spacing: Duration,
        by deadline: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        state.withLock { state in
            let promised = key.flatMap { state.promised.removeValue(forKey: $0) }
            if let promised, promised + spacing > now { return promised }
            if state.turns.count > most { state.turns = state.turns.filter { $0.value > now } }
            return state.takeTurn(at: host, now: now, spacing: spacing, by: deadline)
        }
    }

    /// Promises turns at their hosts to pages in their order, as far as these come before the deadline.
    func promise(
        _ pages: [(host: String, key: Key)],
        now: ContinuousClock.Instant,
        spacing: Duration,
        by deadline: ContinuousClock.Instant
    ) {
        state.withLock { state in
            if state.promised.count > most { state.promised = state.promised.filter { $0.value > now } }
            for (host, key) in pages {
                state.promised[key] = state.takeTurn(at: host, now: now, spacing: spacing, by: deadline)
            }
        }
    }

    /// Lets nobody look at a host before the instant.
    func leaveAlone(_ host: String, until end: ContinuousClock.Instant) {
        state.withLock { $0.turns[host] = max($0.turns[host] ?? end, end) }
    }
}

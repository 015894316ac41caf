import Digest
package import KnotDomain

/// The moments at which a person may be reminded, worked out in their own zone.
///
/// A day is cut where the zone's offset changes, and the window is laid on each part by itself. So a moment is in it
/// exactly when the person's clock shows an allowed time on that day, whether the day has 23, 24 or 25 hours, has an hour
/// twice, or does not exist.
package struct AllowedTime: Hashable, Sendable {
    package let zone: ZoneRules
    package let window: SendWindow
    package let quiet: QuietHours
    private let stretches: [Range<Int>]

    package init(zone: ZoneRules, window: SendWindow, quiet: QuietHours) {
        self.zone = zone
        self.window = window
        self.quiet = quiet
        stretches = window.stretches(outside: quiet)
    }

    /// True when quiet hours leave nothing of the window on any day.
    package var isNever: Bool { stretches.isEmpty }

    /// Whether the person's clock shows an allowed time.
    package func contains(_ instant: Instant) -> Bool {
        let second = zone.local(at: instant).secondOfDay
        return stretches.contains { $0.contains(second) }
    }

    /// The spans of a local day, in seconds since 1970 and ascending; none when there is no such day.
    package func spans(on day: CivilDate) -> [Range<Int>] {
        let midnight = day.daysSinceEpoch * 86_400
        // No zone file may have offsets beyond 26 hours.
        return zone.offsetSpans(in: midnight - 93_600..<midnight + 180_000).flatMap { part in
            stretches.compactMap { stretch in
                let start = max(part.seconds.lowerBound, midnight + stretch.lowerBound - part.offset)
                let end = min(part.seconds.upperBound, midnight + stretch.upperBound - part.offset)
                return start < end ? start..<end : nil
            }
        }
        .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The spans in which something may be scheduled: each ends earlier by the guard, or by half of a short one.
    func slotSpans(on day: CivilDate) -> [Range<Int>] {
        Self.joined(spans(on: day)).map { span in
            span.lowerBound..<span.upperBound - min(window.guardSeconds, span.count / 2)
        }
    }

    /// A moment of that day, the same for the same key and spread evenly over all keys; nil when it has none.
    package func slot(on day: CivilDate, key: UInt64) -> Instant? {
        Self.place(key, in: slotSpans(on: day))
    }

    /// As `slot`, but not before a moment: later on that day when the slot itself is over.
    package func slot(on day: CivilDate, key: UInt64, notBefore now: Instant) -> Instant? {
        let spans = slotSpans(on: day)
        guard let slot = Self.place(key, in: spans) else { return nil }
        if slot >= now { return slot }
        // Rounded up, so that the slot is not in the past by part of a second.
        let next = Int(now.secondsSinceEpoch) + (now.millisecondsSinceEpoch % 1_000 == 0 ? 0 : 1)
        return Self.place(key, in: spans.map { max($0.lowerBound, next)..<max($0.upperBound, next) })
    }

    /// A vault's moment of that day: it has one a day, so that reminders which come on one day meet, and which others there
    /// are changes nothing.
    package func slot(of vault: VaultID, on day: CivilDate, notBefore now: Instant? = nil) -> Instant? {
        let key = SHA256Digest(of: "\(vault)|\(day)").prefix64
        return if let now { slot(on: day, key: key, notBefore: now) } else { slot(on: day, key: key) }
    }

    /// The first allowed moment from then on; nil when there never is one.
    package func next(onOrAfter now: Instant) -> Instant? {
        if isNever { return nil }
        if contains(now) { return now }
        let today = zone.localDate(at: now)
        let second = now.secondsSinceEpoch
        // A day may be missing, and the day after it may be the first with time in it.
        for days in 0...3 {
            let span = spans(on: today.adding(days: days)).first { $0.lowerBound > second }
            if let span { return Self.instant(span.lowerBound) }
        }
        return nil
    }

    private static func place(_ key: UInt64, in spans: [Range<Int>]) -> Instant? {
        let total = spans.reduce(0) { $0 + $1.count }
        guard total > 0 else { return nil }
        var second = Int(key % UInt64(total))
        for span in spans {
            if second < span.count { return instant(span.lowerBound + second) }
            second -= span.count
        }
        return nil
    }

    /// Spans that touch are one: an hour that comes twice has no end between its two passes.
    private static func joined(_ spans: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for span in spans {
            if let last = joined.last, last.upperBound == span.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<span.upperBound
            } else {
                joined.append(span)
            }
        }
        return joined
    }

    private static func instant(_ second: Int) -> Instant {
        Instant(millisecondsSinceEpoch: 0).adding(seconds: second)
    }
}

/// The offsets of one time zone through history and into the future, as a value.
package struct ZoneRules: Hashable, Sendable {
    /// Moments of change in seconds since 1970, ascending.
    let transitions: [Int]
    /// The offset from each of those moments on, as an index into `offsets`.
    let indexes: [UInt8]
    /// East of Greenwich, in seconds; the first holds before every transition.
    let offsets: [Int]
    /// What holds after the last transition.
    let rule: PosixZoneRule?

    /// Universal time.
    package static let utc = ZoneRules(transitions: [], indexes: [], offsets: [0], rule: nil)

    /// How far local time is ahead of universal time.
    package func offsetSeconds(at instant: Instant) -> Int {
        offsetSeconds(atSecond: Int(instant.secondsSinceEpoch))
    }

    /// The day on a wall calendar in this zone.
    package func localDate(at instant: Instant) -> CivilDate { local(at: instant).date }

    /// The day and time on a wall clock in this zone.
    package func local(at instant: Instant) -> LocalDateTime {
        LocalDateTime(secondsSinceEpoch: Int(instant.secondsSinceEpoch) + offsetSeconds(at: instant))
    }

    /// The moment when a wall clock shows this: a time that was skipped moves forward by the gap, and of a time that
    /// comes twice it is the earlier one (Temporal's "compatible").
    package func instant(of local: LocalDateTime) -> Instant {
        let clock = local.secondsSinceEpoch
        let before = offsetSeconds(atSecond: clock - 86_400)
        let after = offsetSeconds(atSecond: clock + 86_400)
        let matches = [before, after].map { clock - $0 }.filter { $0 + offsetSeconds(atSecond: $0) == clock }
        // In a gap the offset from before the change, applied to the skipped time, lands that much after the change.
        let second = matches.min() ?? clock - before
        return Instant(millisecondsSinceEpoch: 0).adding(seconds: second)
    }

    func offsetSeconds(atSecond second: Int) -> Int {
        guard let last = transitions.last else { return rule?.offset(atSecond: second) ?? offsets[0] }
        if second >= last, let rule { return rule.offset(atSecond: second) }
        // The number of transitions at or before the moment.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? offsets[0] : offsets[Int(indexes[low - 1])]
    }
}

/// Where zones are looked up by name.
package protocol ZoneSource: Sendable {
    /// Nil when there is no such zone or its rules cannot be used.
    func rules(named name: String) -> ZoneRules?
}

/// Why a zone's file could not be read.
package struct ZoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong with the file.
    package enum Code: String, Sendable {
        case notTZif
        case truncated
        case inconsistentCounts
        case badTransition
        case badOffset
        case badRule
        case leapSeconds
        case tooLarge
    }

    package let code: Code
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "The zone file cannot be used: \(detail)." }
}

import KnotDomain

/// When an event is, as its page says it: at a moment, by clocks that nobody names, or on days.
struct EventTime {
    let start: String
    /// Of the last day, where it is said.
    let end: String?

    /// What the clocks of a place may be ahead of and behind universal time, in seconds.
    private static let (most, least) = (14 * 3_600, -12 * 3_600)
    private static let day = 86_400
    /// Farther than this nothing is on the same evening.
    private static let mostDistance = 12 * 3_600
    /// Doors open before a show begins.
    private static let mostApart = 2 * 3_600

    /// Which of several times are that of a moment: the nearest, as long as they may be of its day; those that cannot be read
    /// are none.
    static func nearest(of times: [EventTime], to moment: Instant) -> [Int] {
        let distances = times.map { $0.distance(from: moment) ?? .max }
        guard let least = distances.min(), least <= mostDistance else { return [] }
        return times.indices.filter { distances[$0] == least }
    }

    /// The days on which a moment is by the clocks of some place.
    static func days(of moment: Instant) -> [CivilDate] {
        let second = Int(moment.secondsSinceEpoch)
        let ends = [second + least, second + most].map { Int((Double($0) / Double(day)).rounded(.down)) }
        return (ends[0]...ends[1]).map(CivilDate.init(daysSinceEpoch:))
    }

    var isReadable: Bool { CivilDate(iso8601: String(start.prefix(10))) != nil }

    /// Whether another begins at the same time, as far as both say it.
    func begins(with other: EventTime) -> Bool {
        let length = min(16, start.utf8.count, other.start.utf8.count)
        return length >= 10 && start.prefix(length) == other.start.prefix(length)
    }

    /// Whether a moment may be its own, and not that of another showing on the same day.
    func isClose(to moment: Instant) -> Bool { distance(from: moment).map { $0 <= Self.mostApart } ?? false }

    /// How many seconds a moment is away from it at least; nil where it cannot be read.
    private func distance(from moment: Instant) -> Int? {
        guard let first = CivilDate(iso8601: String(start.prefix(10))) else { return nil }
        let second = Int(moment.secondsSinceEpoch)
        let isDay = start.utf8.count == 10
        let last = end.flatMap { CivilDate(iso8601: String($0.prefix(10))) }.flatMap { last -> CivilDate? in
            // What goes on until after midnight is of one evening.
            last.daysSinceEpoch - first.daysSinceEpoch > (isDay ? 0 : 1) ? last : nil
        }
        if last == nil, let exact = Instant(iso8601: start) { return abs(Int(exact.secondsSinceEpoch) - second) }
        let from: Int
        let to: Int
        if last == nil, !isDay, let local = Instant(iso8601: String(start.prefix(16)).replacing(" ", with: "T") + "Z") {
            (from, to) = (Int(local.secondsSinceEpoch), Int(local.secondsSinceEpoch))
        } else {
            (from, to) = (first.daysSinceEpoch * Self.day, ((last ?? first).daysSinceEpoch + 1) * Self.day)
        }
        return max(0, from - Self.most - second, second - (to - Self.least))
    }
}

/// The hours of a local day in which reminders may go out.
package struct SendWindow: Hashable, Sendable {
    /// Seconds of the local day; the end is exclusive.
    package let opens: Int
    package let closes: Int
    /// How long before an end nothing is scheduled any more, so that what is a little late still goes out that day.
    package let guardSeconds: Int

    /// Nil unless it opens before it closes, on one day.
    package init?(opens: Int, closes: Int, guardSeconds: Int = 900) {
        guard opens >= 0, opens < closes, closes <= 86_400, guardSeconds >= 0 else { return nil }
        self.init(open: opens, close: closes, guardSeconds: guardSeconds)
    }

    private init(open: Int, close: Int, guardSeconds: Int) {
        opens = open
        closes = close
        self.guardSeconds = guardSeconds
    }

    /// From 10:00 to 21:00, scheduled until 20:45.
    package static let daytime = SendWindow(open: 36_000, close: 75_600, guardSeconds: 900)

    /// The stretches of a local day, in seconds, that lie in the window and outside the quiet hours.
    func stretches(outside quiet: QuietHours) -> [Range<Int>] {
        var open = [opens..<closes]
        for silence in quiet.stretches {
            open = open.flatMap { stretch in
                [
                    stretch.lowerBound..<max(stretch.lowerBound, min(stretch.upperBound, silence.lowerBound)),
                    min(stretch.upperBound, max(stretch.lowerBound, silence.upperBound))..<stretch.upperBound,
                ]
                .filter { !$0.isEmpty }
            }
        }
        return open
    }
}

/// The hours in which a person wants to hear nothing: whole hours of the local day, the end exclusive.
package struct QuietHours: Hashable, Sendable, CustomStringConvertible {
    /// 0 to 23.
    package let start: Int
    /// 0 to 23; below the start when they go on past midnight, equal to it when nothing is quiet.
    package let end: Int

    /// Nil when one of them is no hour of a day.
    package init?(start: Int, end: Int) {
        guard (0..<24).contains(start), (0..<24).contains(end) else { return nil }
        self.init(from: start, to: end)
    }

    private init(from start: Int, to end: Int) {
        self.start = start
        self.end = end
    }

    /// From 22 to 8, as the database has it where nothing was said.
    package static let standard = QuietHours(from: 22, to: 8)
    /// No quiet hour at all.
    package static let none = QuietHours(from: 0, to: 0)

    package var isOff: Bool { start == end }

    /// In seconds of the day, the part after midnight apart.
    var stretches: [Range<Int>] {
        if isOff { return [] }
        if start < end { return [start * 3_600..<end * 3_600] }
        return [0..<end * 3_600, start * 3_600..<86_400].filter { !$0.isEmpty }
    }

    package var description: String { isOff ? "off" : "\(start):00 to \(end):00" }
}

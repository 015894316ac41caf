import KnotDomain
import TextEncoding

/// When the couple can or cannot go out, as a limit says it: "free 19-22 December only", "not after six on Tuesday".
struct StatedWindow: Sendable, Hashable {
    enum Polarity: Sendable, Hashable {
        /// Nothing outside it is possible.
        case only
        /// Nothing inside it is possible.
        case never
    }

    /// Days by month and day, which come every year.
    struct Day: Sendable, Hashable, Comparable {
        let month: Int
        let day: Int

        static func < (left: Self, right: Self) -> Bool { (left.month, left.day) < (right.month, right.day) }
    }

    let polarity: Polarity
    /// Both ends included; nil when only weekdays are named.
    let days: ClosedRange<Day>?
    /// Days of whatever month comes next: "the 22nd and 23rd"; empty when the month is named.
    let daysOfMonth: Set<Int>
    /// Empty when only days are named.
    let weekdays: Set<Weekday>
    /// The hours of those days it speaks of; a whole day unless it says "after six" or "until two".
    let hours: Range<Int>

    /// Whether something that starts then is ruled out.
    func rulesOut(_ start: LocalDateTime) -> Bool {
        let day = Day(month: start.date.month, day: start.date.day)
        switch polarity {
        case .only:
            guard let days else { return false }
            return !days.contains(day)
        case .never:
            return hours.contains(start.hour) && names(start.date)
        }
    }

    /// Whether the window speaks of that day; a weekday beside a day of the month must agree with it.
    private func names(_ date: CivilDate) -> Bool {
        if let days { return days.contains(Day(month: date.month, day: date.day)) }
        let isWeekday = weekdays.contains(date.weekday)
        if daysOfMonth.isEmpty { return isWeekday }
        return daysOfMonth.contains(date.day) && (weekdays.isEmpty || isWeekday)
    }

    /// Whether something that happens on that weekday at some unsaid hour, likely in the evening, is ruled out.
    func rulesOut(every weekday: Weekday) -> Bool {
        polarity == .never && days == nil && daysOfMonth.isEmpty && weekdays.contains(weekday) && hours.contains(19)
    }
}

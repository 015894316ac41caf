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

    /// A day by month and day, which comes every year.
    struct Day: Sendable, Hashable, Comparable {
        let month: Int
        let day: Int

        static func < (left: Self, right: Self) -> Bool { (left.month, left.day) < (right.month, right.day) }
    }

    /// The days from the first to the last, both included; it goes over the end of the year where the last comes before
    /// the first.
    struct Span: Sendable, Hashable {
        let first: Day
        let last: Day

        func contains(_ day: Day) -> Bool {
            first <= last ? first <= day && day <= last : first <= day || day <= last
        }
    }

    let polarity: Polarity
    /// Empty when no month is named.
    let days: [Span]
    /// Days of whatever month comes next: "the 22nd and 23rd"; empty when the month is named.
    let daysOfMonth: Set<Int>
    /// Empty when only days are named.
    let weekdays: Set<Weekday>
    /// The hours of those days it speaks of, from 24 on those of the day after; a whole day unless it says "after six" or
    /// "until two".
    let hours: Range<Int>

    /// Whether something that starts then is ruled out.
    func rulesOut(_ start: LocalDateTime) -> Bool {
        switch polarity {
        case .only: return !names(start.date)
        case .never:
            if hours.contains(start.hour), names(start.date) { return true }
            return hours.contains(start.hour + 24) && names(start.date.adding(days: -1))
        }
    }

    /// Whether the window speaks of that day; a weekday beside a day of the month must agree with it.
    private func names(_ date: CivilDate) -> Bool {
        if !days.isEmpty {
            let day = Day(month: date.month, day: date.day)
            return days.contains { $0.contains(day) }
        }
        let isWeekday = weekdays.contains(date.weekday)
        if daysOfMonth.isEmpty { return isWeekday }
        return daysOfMonth.contains(date.day) && (weekdays.isEmpty || isWeekday)
    }

    /// Whether something that happens on that weekday at some unsaid hour, likely in the evening, is ruled out.
    func rulesOut(every weekday: Weekday) -> Bool {
        guard days.isEmpty, daysOfMonth.isEmpty else { return false }
        return switch polarity {
        case .only: !weekdays.contains(weekday)
        case .never: weekdays.contains(weekday) && hours.contains(19)
        }
    }
}

/// A day of the proleptic Gregorian calendar, without zone or time.
package struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Nil when the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 1970-01-01.
    package init(daysSinceEpoch count: Int) {
        // Beyond these ends the sums below could overflow, and no calendar reaches there.
        let days = min(max(count, -1_000_000_000_000), 1_000_000_000_000)
        // Howard Hinnant's civil-from-days: eras of 400 years that begin on 1 March.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSinceEpoch: Int { Self.daysSinceEpoch(year: year, month: month, day: day) }

    /// The day's number; a day past the month's end runs on into the next month.
    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day that many days later; a count beyond all calendars stops at their end.
    package func adding(days: Int) -> CivilDate {
        let (sum, overflows) = daysSinceEpoch.addingReportingOverflow(days)
        return CivilDate(daysSinceEpoch: overflows ? (days < 0 ? .min : .max) : sum)
    }

    /// How many days later the other day is; negative when it is earlier.
    package func days(until other: CivilDate) -> Int { other.daysSinceEpoch - daysSinceEpoch }

    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// ISO 8601, `2026-03-15`.
    package var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CivilDate {
    /// The day of the week.
    package var weekday: Weekday {
        // 1970-01-01 was a Thursday, the fourth day.
        let remainder = (daysSinceEpoch + 3) % 7
        return Weekday.allCases[remainder < 0 ? remainder + 7 : remainder]
    }

    /// The n-th such weekday of a month, counted from one; nil when the month has fewer.
    package static func nth(_ number: Int, _ weekday: Weekday, month: Int, year: Int) -> CivilDate? {
        guard (1...5).contains(number), let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        let distance = (weekday.rawValue - first.weekday.rawValue + 7) % 7
        return CivilDate(year: year, month: month, day: 1 + distance + 7 * (number - 1))
    }

    /// The last such weekday of a month; nil when there is no such month.
    package static func last(_ weekday: Weekday, month: Int, year: Int) -> CivilDate? {
        nth(5, weekday, month: month, year: year) ?? nth(4, weekday, month: month, year: year)
    }

    /// Easter Sunday of the Western churches.
    package static func easter(year: Int) -> CivilDate {
        // The anonymous Gregorian computus, as Meeus prints it.
        let golden = year % 19
        let century = year / 100
        let yearOfCentury = year % 100
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekdays = (32 + 2 * (century % 4) + 2 * (yearOfCentury / 4) - epact - yearOfCentury % 4) % 7
        let shift = (golden + 11 * epact + 22 * weekdays) / 451
        let number = epact + weekdays - 7 * shift + 114
        return CivilDate(daysSinceEpoch: daysSinceEpoch(year: year, month: number / 31, day: number % 31 + 1))
    }

    /// Easter Sunday of the Orthodox churches that keep the Julian computus, as a Gregorian day.
    package static func orthodoxEaster(year: Int) -> CivilDate {
        let moon = (19 * (year % 19) + 15) % 30
        let sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
        let number = moon + sunday + 114
        // How far the Julian calendar lies behind in that year's spring.
        let lag = year / 100 - year / 400 - 2
        return CivilDate(daysSinceEpoch: daysSinceEpoch(year: year, month: number / 31, day: number % 31 + 1 + lag))
    }
}

extension CivilDate {
    /// Reads `2026-03-15` and nothing else; nil when it is no day of the calendar.
    package init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day as a person reads it, `15 March`.
    package var dayAndMonth: String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(day) \(names[month - 1])"
    }
}

/// A day of the week, numbered as ISO 8601 does.
package enum Weekday: Int, CaseIterable, Sendable, Hashable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday
}

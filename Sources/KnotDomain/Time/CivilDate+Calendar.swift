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

/// Days that follow from the moon and from those who watch it, listed for the years in which they are certain.
package struct HolidayTable: Hashable, Sendable {
    package let holiday: Holiday
    /// What the days are, and after whom.
    package let source: String
    /// One a year.
    package let days: [CivilDate]

    /// The last year listed.
    package var validThrough: Int { days.last?.year ?? 0 }

    /// The table of a holiday, or nil when its day is worked out or stored.
    package static func of(_ holiday: Holiday) -> HolidayTable? { all.first { $0.holiday == holiday } }

    /// The first listed day on or after that one, or nil beyond the table.
    ///
    /// Before its first year too, since the days that came before are not known.
    package func first(onOrAfter date: CivilDate) -> CivilDate? {
        guard let first = days.first, date.year >= first.year else { return nil }
        return days.first { $0 >= date }
    }

    package static let all: [HolidayTable] = [
        HolidayTable(
            .hanukkah,
            "the evening on which 25 Kislev of the Hebrew calendar begins",
            "2024-12-25 2025-12-14 2026-12-04 2027-12-24 2028-12-12 2029-12-01 2030-12-20"
        ),
        HolidayTable(
            .diwali,
            "Lakshmi Puja as the Hindu calendars of India publish it",
            "2024-10-31 2025-10-20 2026-11-08 2027-10-29 2028-10-17"
        ),
        HolidayTable(
            .lunarNewYear,
            "the first day of the Chinese calendar",
            "2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03 2031-01-23 2032-02-11"
        ),
        HolidayTable(
            .eidAlFitr,
            "1 Shawwal of the Umm al-Qura calendar; where the moon is watched it may be a day later",
            "2024-04-10 2025-03-30 2026-03-20 2027-03-09 2028-02-26"
        ),
        HolidayTable(
            .eidAlAdha,
            "10 Dhu al-Hijjah of the Umm al-Qura calendar; where the moon is watched it may be a day later",
            "2024-06-16 2025-06-06 2026-05-27 2027-05-16 2028-05-05"
        ),
    ]

    private init(_ holiday: Holiday, _ source: String, _ days: String) {
        self.holiday = holiday
        self.source = source
        self.days = days.split(separator: " ").compactMap { CivilDate(iso8601: String($0)) }
    }
}

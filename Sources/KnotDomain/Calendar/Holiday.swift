/// The holidays the product knows by name.
package enum Holiday: String, CaseIterable, Sendable, Hashable {
    case valentinesDay = "Valentine's Day"
    case mothersDay = "Mother's Day"
    case fathersDay = "Father's Day"
    case independenceDay = "Independence Day"
    case halloween = "Halloween"
    case thanksgiving = "Thanksgiving"
    case christmas = "Christmas"
    case newYearsEve = "New Year's Eve"
    case easter = "Easter"
    case hanukkah = "Hanukkah"
    case diwali = "Diwali"
    case lunarNewYear = "Lunar New Year"
    case eidAlFitr = "Eid al-Fitr"
    case eidAlAdha = "Eid al-Adha"

    /// The holiday that this name means as a whole phrase, in any case and with either apostrophe.
    package init?(named name: String) {
        guard let mention = HolidayMention(in: name) else { return nil }
        self = mention.holiday
    }

    /// Valentine's Day and Christmas are major, the others minor.
    package var tier: OccasionTier {
        switch self {
        case .valentinesDay, .christmas: .majorMilestone
        default: .minorOccasion
        }
    }
}

/// How a holiday's day is worked out for a year.
enum HolidayRule: Hashable, Sendable {
    case fixed(month: Int, day: Int)
    case nth(Int, Weekday, month: Int)
    case last(Weekday, month: Int)
    /// Days after Western Easter; negative before it.
    case easter(Int)
    case orthodoxEaster
    /// France's Mother's Day: the last Sunday of May, or a week later where that is Pentecost.
    case lastSundayOfMayUnlessPentecost

    func date(year: Int) -> CivilDate? {
        switch self {
        case .fixed(let month, let day): CivilDate(year: year, month: month, day: day)
        case .nth(let number, let weekday, let month): CivilDate.nth(number, weekday, month: month, year: year)
        case .last(let weekday, let month): CivilDate.last(weekday, month: month, year: year)
        case .easter(let days): CivilDate.easter(year: year).adding(days: days)
        case .orthodoxEaster: CivilDate.orthodoxEaster(year: year)
        case .lastSundayOfMayUnlessPentecost:
            CivilDate.last(.sunday, month: 5, year: year).map { sunday in
                sunday == CivilDate.easter(year: year).adding(days: 49) ? sunday.adding(days: 7) : sunday
            }
        }
    }
}

extension Holiday {
    /// The rule of a country for a holiday that moves; nil when it does not move or there is no known rule.
    ///
    /// Without a country the rules of the United States serve, where the product's own list comes from.
    func rule(country: String?) -> HolidayRule? {
        let country = country ?? "US"
        switch self {
        case .mothersDay: return Self.rule(in: Self.mothersDays, country: country)
        case .fathersDay: return Self.rule(in: Self.fathersDays, country: country)
        case .thanksgiving: return Self.rule(in: Self.thanksgivings, country: country)
        case .easter: return Self.orthodoxCountries.contains(country) ? .orthodoxEaster : .easter(0)
        default: return nil
        }
    }

    private static func rule(in table: [(String, HolidayRule)], country: String) -> HolidayRule? {
        table.first { countries, _ in countries.split(separator: " ").contains { $0 == country } }?.1
    }

    /// Where most people keep the Easter of the Julian computus.
    private static let orthodoxCountries: Set<String> = [
        "BG", "BY", "CY", "ET", "GE", "GR", "MD", "ME", "MK", "RO", "RS", "RU", "UA",
    ]

    private static let mothersDays: [(String, HolidayRule)] = [
        (
            "US CA AU NZ DE AT CH IT NL BE DK FI IS EE LV CZ SK HR GR CY MT TR UA JP CN TW HK SG MY PH IN ZA BR CL CO "
                + "PE EC VE UY CU JM TT PR",
            .nth(2, .sunday, month: 5)
        ),
        ("GB IE IM JE GG", .easter(-21)),
        ("ES PT HU LT RO", .nth(1, .sunday, month: 5)),
        ("SE DO", .last(.sunday, month: 5)),
        ("FR", .lastSundayOfMayUnlessPentecost),
        ("NO", .nth(2, .sunday, month: 2)),
        ("LU", .nth(2, .sunday, month: 6)),
        ("AR", .nth(3, .sunday, month: 10)),
        ("MX GT SV", .fixed(month: 5, day: 10)),
        ("PL", .fixed(month: 5, day: 26)),
        ("TH", .fixed(month: 8, day: 12)),
        ("CR", .fixed(month: 8, day: 15)),
        ("ID", .fixed(month: 12, day: 22)),
        ("AE EG JO KW LB QA SA SY", .fixed(month: 3, day: 21)),
    ]

    private static let fathersDays: [(String, HolidayRule)] = [
        (
            "US CA GB IE IM JE GG FR NL CZ SK HU GR CY TR UA JP CN HK SG MY PH IN ZA AR CL CO CR EC MX PA PE PY VE PR "
                + "JM TT",
            .nth(3, .sunday, month: 6)
        ),
        ("AU NZ FJ PG", .nth(1, .sunday, month: 9)),
        ("AT BE", .nth(2, .sunday, month: 6)),
        ("CH LT", .nth(1, .sunday, month: 6)),
        ("DE", .easter(39)),
        ("BR", .nth(2, .sunday, month: 8)),
        ("NO SE FI EE IS", .nth(2, .sunday, month: 11)),
        ("LU", .nth(1, .sunday, month: 10)),
        ("RO", .nth(2, .sunday, month: 5)),
        ("ES PT IT HR BO HN LI", .fixed(month: 3, day: 19)),
        ("DK", .fixed(month: 6, day: 5)),
        ("PL", .fixed(month: 6, day: 23)),
        ("TW", .fixed(month: 8, day: 8)),
    ]

    private static let thanksgivings: [(String, HolidayRule)] = [
        ("US PR VI GU AS MP", .nth(4, .thursday, month: 11)),
        ("CA", .nth(2, .monday, month: 10)),
    ]
}

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

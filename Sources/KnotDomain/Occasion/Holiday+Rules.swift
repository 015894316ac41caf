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

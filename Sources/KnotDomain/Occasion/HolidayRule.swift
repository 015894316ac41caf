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

/// The rule that holds after a zone file's last transition, such as `CST6CDT,M3.2.0,M11.1.0`.
struct PosixZoneRule: Hashable, Sendable {
    /// A day of every year.
    enum Day: Hashable, Sendable {
        /// 1 to 365; 29 February is never counted.
        case julian(Int)
        /// 0 to 365; 29 February is counted.
        case ordinal(Int)
        /// Week 5 is the last one.
        case weekday(Weekday, week: Int, month: Int)
    }

    /// One of the two changes of a year, on the clock that holds before it.
    struct Change: Hashable, Sendable {
        let day: Day
        let second: Int

        /// Counted on that clock from 1970.
        func clock(year: Int) -> Int { days(year: year) * 86_400 + second }

        private func days(year: Int) -> Int {
            let newYear = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1)
            switch day {
            case .julian(let number): return newYear + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
            case .ordinal(let number): return newYear + number
            case .weekday(let weekday, let week, let month):
                let date =
                    week == 5
                    ? CivilDate.last(weekday, month: month, year: year)
                    : CivilDate.nth(week, weekday, month: month, year: year)
                // Weeks 1 to 5 of months 1 to 12 always exist, and the parser lets no others in.
                return date?.daysSinceEpoch ?? newYear
            }
        }
    }

    /// Summer time with the changes into and out of it.
    struct Summer: Hashable, Sendable {
        let offset: Int
        let start: Change
        let end: Change
    }

    /// East of Greenwich, in seconds.
    let standardOffset: Int
    let summer: Summer?

    func offset(atSecond second: Int) -> Int {
        guard let summer else { return standardOffset }
        let year = LocalDateTime(secondsSinceEpoch: second).date.year
        var latest: (second: Int, isSummer: Bool)?
        // Rules may run over a year's ends by up to a week, so the years beside it count as well. Where one summer
        // ends at the moment the next begins, summer goes on: ends are looked at first.
        for year in year - 1...year + 1 {
            let changes = [
                (second: summer.end.clock(year: year) - summer.offset, isSummer: false),
                (second: summer.start.clock(year: year) - standardOffset, isSummer: true),
            ]
            for change in changes where change.second <= second {
                guard let known = latest else {
                    latest = change
                    continue
                }
                if change.second > known.second || change.second == known.second && change.isSummer {
                    latest = change
                }
            }
        }
        return latest?.isSummer == true ? summer.offset : standardOffset
    }
}

/// When milestones come: pure arithmetic over days, without clock or zone.
package enum MilestoneCalendar {
    /// The first day on or after that one on which the milestone comes; the day itself counts.
    ///
    /// A yearly holiday that moves follows its name and the country; every other milestone follows its stored day, of
    /// which a yearly one uses month and day only.
    package static func occurrence(
        of milestone: Milestone,
        onOrAfter date: CivilDate,
        country: String?,
        leapDay: LeapDayPolicy = .february28
    ) -> Occurrence {
        guard milestone.recurrence == .yearly else {
            return milestone.date >= date ? .on(milestone.date, .stored) : .past(milestone.date)
        }
        if let mention = mention(in: milestone) {
            if let table = HolidayTable.of(mention.holiday) {
                guard let day = table.first(onOrAfter: date) else {
                    return .unknown(mention.holiday, validThrough: table.validThrough)
                }
                return .on(day, .listed(mention.holiday))
            }
            if let rule = rule(for: mention, country: country),
                let day = first(onOrAfter: date, within: 1, rule.date(year:))
            {
                return .on(day, .computed(mention.holiday))
            }
        }
        // Of nine years in a row one at least has a 29 February, also around 2100.
        let stored = first(onOrAfter: date, within: 8) { leapDay.day(of: milestone.date, year: $0) }
        // Every year has the stored day, the one it is observed on, or a leap year near by, so there always is one.
        guard let stored else { return .on(date, .stored) }
        return .on(stored, stored.day == milestone.date.day ? .stored : .leapDay)
    }

    /// A day that only speaks of a holiday keeps its own date: birthdays and anniversaries do whatever they are called, and a
    /// custom day unless its whole name is the holiday's.
    private static func mention(in milestone: Milestone) -> HolidayMention? {
        switch milestone.kind {
        case .birthday, .anniversary: nil
        case .holiday: HolidayMention(in: milestone.name)
        case .custom: HolidayMention(in: milestone.name).flatMap { $0.isWholeName ? $0 : nil }
        }
    }

    private static func rule(for mention: HolidayMention, country: String?) -> HolidayRule? {
        switch mention.custom {
        case nil: mention.holiday.rule(country: country?.uppercased())
        case .country(let named): mention.holiday.rule(country: named)
        case .orthodox: mention.holiday == .easter ? .orthodoxEaster : nil
        }
    }

    /// A rule has one day in every year, so this year's and the next one's are enough for it.
    private static func first(
        onOrAfter date: CivilDate,
        within years: Int,
        _ day: (Int) -> CivilDate?
    ) -> CivilDate? {
        (date.year...date.year + years).lazy.compactMap(day).first { $0 >= date }
    }
}

/// When a yearly 29 February comes in years that have none.
package enum LeapDayPolicy: String, CaseIterable, Sendable, Hashable {
    case february28 = "feb28"
    case march1 = "mar1"
    /// It comes in leap years only.
    case skip

    /// The day of a year on which the stored month and day are kept; nil when that year passes without one.
    func day(of stored: CivilDate, year: Int) -> CivilDate? {
        if let day = CivilDate(year: year, month: stored.month, day: stored.day) { return day }
        return switch self {
        case .february28: CivilDate(year: year, month: 2, day: 28)
        case .march1: CivilDate(year: year, month: 3, day: 1)
        case .skip: nil
        }
    }
}

/// The day on which a milestone comes next, or why there is none.
package enum Occurrence: Hashable, Sendable {
    /// How the day was found.
    package enum Basis: Hashable, Sendable {
        /// The stored day.
        case stored
        /// 29 February, observed on another day in a year that has none.
        case leapDay
        /// Worked out for this holiday.
        case computed(Holiday)
        /// Looked up for this holiday.
        case listed(Holiday)
    }

    case on(CivilDate, Basis)
    /// A one-time milestone whose day is over.
    case past(CivilDate)
    /// A holiday whose table ends in that year.
    case unknown(Holiday, validThrough: Int)

    /// Nil when the milestone does not come again or nobody knows when.
    package var date: CivilDate? {
        if case .on(let date, _) = self { date } else { nil }
    }
}

extension OccasionTier {
    /// The tier to propose where an imported milestone names none; nil for custom ones, which must say so themselves.
    ///
    /// Only a proposal: once a milestone is stored its own tier decides.
    package static func proposed(for kind: Milestone.Kind, name: String) -> OccasionTier? {
        switch kind {
        case .birthday, .anniversary: .majorMilestone
        case .holiday: Holiday(named: name)?.tier ?? .minorOccasion
        case .custom: nil
        }
    }
}

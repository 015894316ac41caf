/// The day on which a milestone comes next, or why there is none.
package enum Occurrence: Hashable, Sendable {
    /// How the day was found.
    package enum Basis: Hashable, Sendable {
        /// The stored day.
        case stored
        /// 29 February, observed on the 28th in this year.
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

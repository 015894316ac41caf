/// Days as a person says them.
package enum DayText {
    /// "15 March", with the year when it is not this one.
    package static func long(_ day: CivilDate, today: CivilDate) -> String {
        day.year == today.year ? day.dayAndMonth : "\(day.dayAndMonth) \(day.year)"
    }

    /// "4 days before Dot's birthday".
    package static func before(_ days: Int, occasion: String) -> String {
        switch days {
        case 0: "on the day of \(occasion)"
        case 1: "the day before \(occasion)"
        default: "\(days) days before \(occasion)"
        }
    }
}

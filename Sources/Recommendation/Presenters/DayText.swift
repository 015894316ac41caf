import KnotDomain

/// Days as a person says them.
enum DayText {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// "15 March", with the year when it is not this one.
    static func long(_ day: CivilDate, today: CivilDate) -> String {
        let text = "\(day.day) \(months[day.month - 1])"
        return day.year == today.year ? text : "\(text) \(day.year)"
    }

    /// "4 days before Dot's birthday".
    static func before(_ days: Int, occasion: String) -> String {
        switch days {
        case 0: "on the day of \(occasion)"
        case 1: "the day before \(occasion)"
        default: "\(days) days before \(occasion)"
        }
    }
}

extension CivilDate {
    /// Reads `2026-03-15` and nothing else; nil when it is no day of the calendar.
    package init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day as a person reads it, `15 March`.
    package var dayAndMonth: String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(day) \(names[month - 1])"
    }
}

import HTTPClient
package import KnotDomain

/// How long it is until a moment that a reply names, by the reply's own `Date`, so that no two clocks need agree.
enum ReplyClock {
    private static let longest = 86_400

    /// Nil where a moment is missing, unreadable or over.
    static func wait(until moment: String?, in reply: HTTPResponse) -> Duration? {
        guard let moment = moment.flatMap(Instant.init(iso8601:)) else { return nil }
        return wait(until: moment, in: reply)
    }

    /// Never more than a day.
    static func wait(until moment: Instant, in reply: HTTPResponse) -> Duration? {
        guard let now = reply.headers["date"].flatMap(Instant.init(httpDate:)) else { return nil }
        let seconds = moment.secondsSinceEpoch - now.secondsSinceEpoch
        return seconds > 0 ? .seconds(min(Int(clamping: seconds), longest)) : nil
    }
}

extension Instant {
    /// Reads the form that HTTP writes today: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let fields = text.split(whereSeparator: { " ,:".contains($0) })
        guard fields.count == 8, fields[7] == "GMT", let day = Int(fields[1]), let year = Int(fields[3]),
            let month = months.firstIndex(of: String(fields[2])), (1...9_999).contains(year),
            let hour = Int(fields[4]), let minute = Int(fields[5]), let second = Int(fields[6]),
            let date = CivilDate(year: year, month: month + 1, day: day),
            // A leap second is the next second.
            let local = LocalDateTime(date: date, hour: hour, minute: minute, second: min(second, 59)), second <= 60
        else { return nil }
        self.init(millisecondsSinceEpoch: Int64(local.secondsSinceEpoch) * 1_000)
    }
}

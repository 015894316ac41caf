/// How long a service asks to be left alone, in either form of its header: seconds, or a date.
package enum RetryAfter {
    /// The wait that a header's value means, at least nothing; nil where it makes no sense.
    ///
    /// `now` is the time of day in seconds since 1970, which a date is held against.
    package static func wait(_ value: String, now: Int64) -> Duration? {
        let text = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let trimmed = Array(String(Substring(text)).utf8.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed())
        guard !trimmed.isEmpty, trimmed.count <= 64 else { return nil }
        if trimmed.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than any sensible wait has mean a wait beyond all bounds, which the caller bounds.
            let seconds = trimmed.count > 12 ? 1_000_000_000_000 : trimmed.reduce(Int64(0)) { $0 * 10 + Int64($1 & 15) }
            return .seconds(min(seconds, 1_000_000_000))
        }
        return date(String(decoding: trimmed, as: UTF8.self)).map { .seconds(max(0, $0 - now)) }
    }

    /// The wait that a response asks for, by the header or by what some services send in its place.
    package static func wait(of response: HTTPResponse, now: Int64) -> Duration? {
        response.headers["retry-after"].flatMap { wait($0, now: now) }
    }

    /// Seconds since 1970 of a date of HTTP, in its three forms.
    ///
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
    package static func date(_ text: String) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT" || words[5] == "UTC":
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        case 4 where words[3] == "GMT":
            let parts = words[1].split(separator: "-").map(String.init)
            guard parts.count == 3, parts[2].count == 2, let short = number(parts[2], 0...99) else { return nil }
            // A year of two digits is the one that is less than fifty years ahead of 2020.
            return seconds(
                day: parts[0],
                month: parts[1],
                year: String(short < 70 ? 2_000 + short : 1_900 + short),
                time: words[2]
            )
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func seconds(day: String, month: String, year: String, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let month = months.firstIndex(of: month), year.count == 4, clock.count == 3,
            clock.allSatisfy({ $0.count == 2 }), let year = number(year, 1_970...9_999),
            let day = number(day, 1...length(ofMonth: month, in: year)), let hour = number(clock[0], 0...23),
            let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
        else { return nil }
        // Days from 1970 to the first of March of a year that begins in March, after Howard Hinnant's `days_from_civil`.
        let shifted = month < 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        if month == 1 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [3, 5, 8, 10].contains(month) ? 30 : 31
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

/// A moment in universal time, to the millisecond.
package struct Instant: Hashable, Sendable, Comparable {
    package let millisecondsSinceEpoch: Int64

    package init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// Whole seconds since 1970, rounded towards the past.
    package var secondsSinceEpoch: Int64 {
        let (quotient, remainder) = millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.millisecondsSinceEpoch < right.millisecondsSinceEpoch
    }
}

extension Instant: CustomStringConvertible {
    /// Reads an ISO 8601 date and time with its offset: `2026-03-01T17:00:00Z`, `2026-03-01T12:00:00.250-05:00`.
    ///
    /// Digits past the millisecond are dropped; a leap second counts as the second after it; without an offset
    /// it is nil, because then it names no moment. So is what lies outside of the years 1 to 9999 of universal time, which
    /// could not be written so that it is read again.
    package init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), let date = CivilDate(year: year, month: month, day: day),
            scanner.skip("Tt "), let hour = scanner.digits(2), hour < 24, scanner.skip(":"),
            let minute = scanner.digits(2), minute < 60
        else { return nil }
        var second = 0
        var milliseconds = 0
        if scanner.skip(":") {
            guard let value = scanner.digits(2), value <= 60 else { return nil }
            second = value
            if scanner.skip(".,") {
                guard let fraction = Self.fraction(&scanner) else { return nil }
                milliseconds = fraction
            }
        }
        guard let offset = Self.offset(&scanner), scanner.isAtEnd else { return nil }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second - offset
        self.init(millisecondsSinceEpoch: Int64(seconds * 1_000 + milliseconds))
        guard Self.written.contains(self) else { return nil }
    }

    /// What four digits of a year can say.
    private static let written =
        Instant(millisecondsSinceEpoch: -62_135_596_800_000)...Instant(millisecondsSinceEpoch: 253_402_300_799_999)

    private static func fraction(_ scanner: inout DigitScanner) -> Int? {
        var milliseconds = 0
        var count = 0
        while let digit = scanner.digits(1) {
            if count < 3 { milliseconds = milliseconds * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in count..<max(count, 3) { milliseconds *= 10 }
        return milliseconds
    }

    private static func offset(_ scanner: inout DigitScanner) -> Int? {
        if scanner.skip("Zz") { return 0 }
        let isWest: Bool
        if scanner.skip("+") {
            isWest = false
        } else if scanner.skip("-") {
            isWest = true
        } else {
            return nil
        }
        guard let hours = scanner.digits(2), hours < 24 else { return nil }
        var minutes = 0
        if scanner.skip(":") {
            guard let value = scanner.digits(2) else { return nil }
            minutes = value
        } else {
            minutes = scanner.digits(2) ?? 0
        }
        guard minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// ISO 8601 in universal time; a fraction only when it is not zero.
    package var iso8601: String {
        let moment = LocalDateTime(secondsSinceEpoch: Int(secondsSinceEpoch))
        // By remainders: at the beginning of time the whole seconds in milliseconds would not fit.
        let milliseconds = Int((millisecondsSinceEpoch % 1_000 + 1_000) % 1_000)
        guard milliseconds != 0 else { return "\(moment)Z" }
        var fraction = String(String(milliseconds + 1_000).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(moment).\(fraction)Z"
    }

    package var description: String { iso8601 }

    /// The moment that many seconds later; it stops at the ends of time.
    package func adding(seconds: Int) -> Instant {
        let (milliseconds, overflows) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
        let (sum, overflowsAgain) = millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        guard overflows || overflowsAgain else { return Instant(millisecondsSinceEpoch: sum) }
        return Instant(millisecondsSinceEpoch: seconds < 0 ? .min : .max)
    }
}

/// What a clock on a wall shows: a day and a time, without a zone, to the second.
package struct LocalDateTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let date: CivilDate
    /// 0 to 86 399.
    package let secondOfDay: Int

    /// Nil when a clock never shows such a time.
    package init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
        self.date = date
        secondOfDay = hour * 3_600 + minute * 60 + second
    }

    /// Counted on this clock from 1970-01-01 00:00.
    package init(secondsSinceEpoch seconds: Int) {
        let days = seconds >= 0 ? seconds / 86_400 : -((-(seconds + 1)) / 86_400) - 1
        date = CivilDate(daysSinceEpoch: days)
        secondOfDay = seconds - days * 86_400
    }

    package var hour: Int { secondOfDay / 3_600 }
    package var minute: Int { secondOfDay / 60 % 60 }
    package var second: Int { secondOfDay % 60 }

    /// Counted on this clock from 1970-01-01 00:00.
    package var secondsSinceEpoch: Int { date.daysSinceEpoch * 86_400 + secondOfDay }

    package static func < (left: Self, right: Self) -> Bool {
        (left.date, left.secondOfDay) < (right.date, right.secondOfDay)
    }

    /// ISO 8601 without an offset, `2026-03-15T17:00:00`.
    package var description: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(date)T\(padded(hour)):\(padded(minute)):\(padded(second))"
    }
}

/// Reads fixed-width numbers and single characters from an ASCII text.
struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        // Dates are short: what is longer than this is none, whatever follows.
        bytes = Array(text.utf8.prefix(64))
    }

    var isAtEnd: Bool { position == bytes.count }

    /// A number of exactly that many digits.
    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + count] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += count
        return number
    }

    /// Passes over one of these characters, and says whether there was one.
    mutating func skip(_ characters: StaticString) -> Bool {
        guard position < bytes.count, characters.description.utf8.contains(bytes[position]) else { return false }
        position += 1
        return true
    }
}

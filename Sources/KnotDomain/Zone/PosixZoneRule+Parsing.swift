extension PosixZoneRule {
    /// Reads the TZ text of POSIX with the longer hours that RFC 9636 allows.
    init(parsing text: String) throws(ZoneError) {
        var parser = Parser(text)
        guard let rule = parser.rule() else {
            throw ZoneError(.badRule, "its closing rule \"\(text.prefix(60))\" cannot be read")
        }
        self = rule
    }

    private struct Parser {
        private var rest: ArraySlice<UInt8>

        init(_ text: String) {
            rest = Array(text.utf8)[...]
        }

        mutating func rule() -> PosixZoneRule? {
            guard name(), let west = time(hours: 24) else { return nil }
            if rest.isEmpty { return PosixZoneRule(standardOffset: -west, summer: nil) }
            guard name() else { return nil }
            var offset = -west + 3_600
            if rest.first != UInt8(ascii: ",") {
                guard let summerWest = time(hours: 24) else { return nil }
                offset = -summerWest
            }
            guard let start = change(), let end = change(), rest.isEmpty else { return nil }
            return PosixZoneRule(
                standardOffset: -west,
                summer: Summer(offset: offset, start: start, end: end)
            )
        }

        private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: byte) else { return false }
            rest.removeFirst()
            return true
        }

        /// An abbreviation of three letters or more, or anything in angle brackets.
        private mutating func name() -> Bool {
            if skip("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
            rest.removeFirst(letters.count)
            return letters.count >= 3
        }

        private mutating func number(upTo limit: Int) -> Int? {
            let digits = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest.removeFirst(digits.count)
            let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return number <= limit ? number : nil
        }

        /// `hh[:mm[:ss]]` with a sign, in seconds.
        private mutating func time(hours limit: Int) -> Int? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(upTo: limit) else { return nil }
            var seconds = hours * 3_600
            for unit in [60, 1] where skip(":") {
                guard let part = number(upTo: 59) else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        private mutating func change() -> Change? {
            guard skip(","), let day = day() else { return nil }
            guard skip("/") else { return Change(day: day, second: 7_200) }
            return time(hours: 167).map { Change(day: day, second: $0) }
        }

        private mutating func day() -> Day? {
            if skip("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
            guard skip("M") else { return number(upTo: 365).map { .ordinal($0) } }
            guard let month = number(upTo: 12), month > 0, skip("."), let week = number(upTo: 5), week > 0, skip("."),
                let day = number(upTo: 6), let weekday = Weekday(rawValue: day == 0 ? 7 : day)
            else { return nil }
            return .weekday(weekday, week: week, month: month)
        }
    }
}

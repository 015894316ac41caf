/// The rule that holds after a zone file's last transition, such as `CST6CDT,M3.2.0,M11.1.0`.
struct PosixZoneRule: Hashable, Sendable {
    /// A day of every year.
    enum Day: Hashable, Sendable {
        /// 1 to 365; 29 February is never counted.
        case julian(Int)
        /// 0 to 365; 29 February is counted.
        case ordinal(Int)
        /// Week 5 is the last one.
        case weekday(Weekday, week: Int, month: Int)
    }

    /// One of the two changes of a year, on the clock that holds before it.
    struct Change: Hashable, Sendable {
        let day: Day
        let second: Int

        /// Counted on that clock from 1970.
        func clock(year: Int) -> Int { days(year: year) * 86_400 + second }

        private func days(year: Int) -> Int {
            let newYear = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1)
            switch day {
            case .julian(let number): return newYear + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
            case .ordinal(let number): return newYear + number
            case .weekday(let weekday, let week, let month):
                let date =
                    week == 5
                    ? CivilDate.last(weekday, month: month, year: year)
                    : CivilDate.nth(week, weekday, month: month, year: year)
                // Weeks 1 to 5 of months 1 to 12 always exist, and the parser lets no others in.
                return date?.daysSinceEpoch ?? newYear
            }
        }
    }

    /// Summer time with the changes into and out of it.
    struct Summer: Hashable, Sendable {
        let offset: Int
        let start: Change
        let end: Change
    }

    /// East of Greenwich, in seconds.
    let standardOffset: Int
    let summer: Summer?

    func offset(atSecond second: Int) -> Int {
        guard let summer else { return standardOffset }
        let year = LocalDateTime(secondsSinceEpoch: second).date.year
        var latest: (second: Int, isSummer: Bool)?
        // Rules may run over a year's ends by up to a week, so the years beside it count as well. Where one summer
        // ends at the moment the next begins, summer goes on: ends are looked at first.
        for year in year - 1...year + 1 {
            let changes = [
                (second: summer.end.clock(year: year) - summer.offset, isSummer: false),
                (second: summer.start.clock(year: year) - standardOffset, isSummer: true),
            ]
            for change in changes where change.second <= second {
                guard let known = latest else {
                    latest = change
                    continue
                }
                if change.second > known.second || change.second == known.second && change.isSummer {
                    latest = change
                }
            }
        }
        return latest?.isSummer == true ? summer.offset : standardOffset
    }
}

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

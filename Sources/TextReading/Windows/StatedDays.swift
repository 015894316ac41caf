import KnotDomain

/// The days a clause names: by month, of any month, or of the week, with every day of a stretch between two of them.
struct StatedDays {
    /// Two ends as they were named; one day by itself is both.
    private struct Stretch<Value: Hashable> {
        let first: Value
        let last: Value
        /// Where the words after the first and the last end begin.
        let after: (first: Int, last: Int)

        var isSingle: Bool { first == last }
    }

    private typealias Day = StatedWindow.Day
    private typealias Span = StatedWindow.Span

    private let days: [Stretch<StatedWindow.Day>]
    private let daysOfMonth: [Stretch<Int>]
    private let weekdays: [Stretch<Weekday>]
    private let groups: Set<Weekday>
    private let words: [String]
    /// The clause's words, those that name a date left blank.
    let wordsBesideDates: [String]

    /// The words are a clause's, folded.
    init(_ words: [String]) {
        self.words = words
        let dates = StatedDates.dates(in: words)
        wordsBesideDates = dates.reduce(into: words) { others, date in
            for place in date.range { others[place] = "" }
        }
        days = Self.stretches(dates, in: words)
        daysOfMonth = days.isEmpty ? Self.stretches(StatedDates.ordinals(in: words), in: words) : []
        let named = words.indices.compactMap { place in
            StatedWindow.weekday(words[place]).map { StatedDates.Named(value: $0, range: place..<(place + 1)) }
        }
        weekdays = Self.stretches(named, in: words)
        groups = Self.groups(in: words)
    }

    var isEmpty: Bool { days.isEmpty && daysOfMonth.isEmpty && weekdays.isEmpty && groups.isEmpty }

    var namesMonths: Bool { !days.isEmpty }

    /// Whether only days of an unsaid month are named.
    var isOfAnyMonth: Bool { days.isEmpty && !daysOfMonth.isEmpty }

    /// From which hour of its first day and until which of its last a stretch lasts, where it says either.
    var ends: (first: Int, last: Int)? {
        let after =
            days.first { !$0.isSingle }?.after ?? daysOfMonth.first { !$0.isSingle }?.after
            ?? (days.isEmpty && daysOfMonth.isEmpty ? weekdays.first { !$0.isSingle }?.after : nil)
        guard let after, !words.contains("every"), !words.contains("each") else { return nil }
        let first = StatedHours.timeOfDay(at: after.first, in: words)
        let last = StatedHours.timeOfDay(at: after.last, in: words)
        guard first != nil || last != nil else { return nil }
        return (first?.lowerBound ?? 0, last?.upperBound ?? 24)
    }

    /// Two days of a list that are the ends of a stretch, and all others by themselves.
    private static func stretches<Value>(
        _ named: [StatedDates.Named<Value>],
        in words: [String]
    ) -> [Stretch<Value>] {
        var found: [Stretch<Value>] = []
        var place = 0
        while place < named.count {
            let one = named[place]
            let next = place + 1 < named.count ? named[place + 1] : one
            let isStretch = place + 1 < named.count && StatedDates.areEnds(one.range, next.range, in: words)
            let last = isStretch ? next : one
            found.append(
                Stretch(
                    first: one.value,
                    last: last.value,
                    after: (one.range.upperBound, last.range.upperBound)
                )
            )
            place += isStretch ? 2 : 1
        }
        return found
    }

    /// Words for several days at once.
    static let weekdayGroups: [String: Set<Weekday>] = [
        "weekend": [.saturday, .sunday], "weekends": [.saturday, .sunday],
        "weekday": [.monday, .tuesday, .wednesday, .thursday, .friday],
        "weekdays": [.monday, .tuesday, .wednesday, .thursday, .friday],
        "weeknights": [.monday, .tuesday, .wednesday, .thursday, .friday],
    ]

    private static func groups(in words: [String]) -> Set<Weekday> {
        var found: Set<Weekday> = []
        for (place, word) in words.enumerated() {
            // "The Mother's Day weekend" is one of many.
            let isEvery = word.hasSuffix("s") || place > 0 && ["every", "each"].contains(words[place - 1])
            if isEvery, let group = weekdayGroups[word] { found.formUnion(group) }
        }
        return found
    }
}

extension StatedDays {
    /// One window for all the days.
    func windows(_ polarity: StatedWindow.Polarity, hours: Range<Int>) -> [StatedWindow] {
        [
            StatedWindow(
                polarity: polarity,
                days: days.map { Span(first: $0.first, last: $0.last) },
                daysOfMonth: Set(daysOfMonth.flatMap { Self.circle(from: $0.first, to: $0.last, of: 31) }),
                weekdays: weekdayLabels,
                hours: hours
            )
        ]
    }

    /// The first day from an hour on, the last one until an hour, and the days between them whole.
    func windows(from start: Int, until end: Int) -> [StatedWindow] {
        let whole = windows(.never, hours: 0..<24)[0]
        func window(
            _ days: [Span],
            _ daysOfMonth: Set<Int>,
            _ weekdays: Set<Weekday>,
            _ hours: Range<Int>
        ) -> StatedWindow {
            StatedWindow(polarity: .never, days: days, daysOfMonth: daysOfMonth, weekdays: weekdays, hours: hours)
        }
        if let span = days.first(where: { !$0.isSingle }) {
            let inner = whole.days.filter { $0 != Span(first: span.first, last: span.last) } + Self.between(span)
            return [
                window([Span(first: span.first, last: span.first)], [], [], start..<24),
                window([Span(first: span.last, last: span.last)], [], [], 0..<end),
            ] + (inner.isEmpty ? [] : [window(inner, [], [], 0..<24)])
        }
        if let span = daysOfMonth.first(where: { !$0.isSingle }) {
            let inner = whole.daysOfMonth.subtracting([span.first, span.last])
            return [window([], [span.first], [], start..<24), window([], [span.last], [], 0..<end)]
                + (inner.isEmpty ? [] : [window([], inner, [], 0..<24)])
        }
        guard let span = weekdays.first(where: { !$0.isSingle }) else { return [whole] }
        let inner = whole.weekdays.subtracting([span.first, span.last])
        return [window([], [], [span.first], start..<24), window([], [], [span.last], 0..<end)]
            + (inner.isEmpty ? [] : [window([], [], inner, 0..<24)])
    }

    /// The days between a stretch's ends; none where they follow one another.
    private static func between(_ stretch: Stretch<StatedWindow.Day>) -> [Span] {
        // A leap year has every day there is.
        guard let first = CivilDate(year: 2_028, month: stretch.first.month, day: stretch.first.day),
            let last = CivilDate(year: 2_028, month: stretch.last.month, day: stretch.last.day)
        else { return [] }
        let (second, before) = (first.adding(days: 1), last.adding(days: -1))
        let span = Span(
            first: Day(month: second.month, day: second.day),
            last: Day(month: before.month, day: before.day)
        )
        return span.first == stretch.last ? [] : [span]
    }

    /// Every number from one to another, counted on over the end of so many.
    private static func circle(from first: Int, to last: Int, of count: Int) -> [Int] {
        first <= last ? Array(first...last) : Array(first...count) + Array(1...last)
    }

    /// Beside a stretch of dates the weekdays only name its ends.
    private var weekdayLabels: Set<Weekday> {
        !days.isEmpty || daysOfMonth.contains { !$0.isSingle } ? [] : everyWeekday
    }

    /// The weekdays that are named, with all of a stretch, whatever dates stand beside them.
    var everyWeekday: Set<Weekday> {
        weekdays.reduce(into: groups) { found, stretch in
            let numbers = Self.circle(from: stretch.first.rawValue, to: stretch.last.rawValue, of: 7)
            found.formUnion(numbers.compactMap(Weekday.init(rawValue:)))
        }
    }
}

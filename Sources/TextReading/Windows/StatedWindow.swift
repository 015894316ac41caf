package import KnotDomain
import TextEncoding

/// When the couple can or cannot go out, as a limit says it: "free 19-22 December only", "not after six on Tuesday".
package struct StatedWindow: Sendable, Hashable {
    enum Polarity: Sendable, Hashable {
        /// Nothing outside it is possible.
        case only
        /// Nothing inside it is possible.
        case never
    }

    /// A day by month and day, which comes every year.
    struct Day: Sendable, Hashable, Comparable {
        let month: Int
        let day: Int

        static func < (left: Self, right: Self) -> Bool { (left.month, left.day) < (right.month, right.day) }
    }

    /// The days from the first to the last, both included; it goes over the end of the year where the last comes before
    /// the first.
    struct Span: Sendable, Hashable {
        let first: Day
        let last: Day

        func contains(_ day: Day) -> Bool {
            first <= last ? first <= day && day <= last : first <= day || day <= last
        }
    }

    let polarity: Polarity
    /// Empty when no month is named.
    let days: [Span]
    /// Days of whatever month comes next: "the 22nd and 23rd"; empty when the month is named.
    package let daysOfMonth: Set<Int>
    /// Empty when only days are named.
    let weekdays: Set<Weekday>
    /// The hours of those days it speaks of, from 24 on those of the day after; a whole day unless it says "after six" or
    /// "until two".
    let hours: Range<Int>

    /// Whether it names days of the calendar, and not only days of the week.
    package var isDated: Bool { !days.isEmpty || !daysOfMonth.isEmpty }

    /// Whether something that starts then is ruled out.
    package func rulesOut(_ start: LocalDateTime) -> Bool {
        switch polarity {
        case .only: return !names(start.date)
        case .never:
            if hours.contains(start.hour), names(start.date) { return true }
            return hours.contains(start.hour + 24) && names(start.date.adding(days: -1))
        }
    }

    /// Whether the window speaks of that day; a weekday beside a day of the month must agree with it.
    private func names(_ date: CivilDate) -> Bool {
        if !days.isEmpty {
            let day = Day(month: date.month, day: date.day)
            return days.contains { $0.contains(day) }
        }
        let isWeekday = weekdays.contains(date.weekday)
        if daysOfMonth.isEmpty { return isWeekday }
        return daysOfMonth.contains(date.day) && (weekdays.isEmpty || isWeekday)
    }

    /// Whether something that happens on that weekday at some unsaid hour, likely in the evening, is ruled out.
    package func rulesOut(every weekday: Weekday) -> Bool {
        // Hours that are ruled out on all days say nothing of one of them.
        guard days.isEmpty, daysOfMonth.isEmpty, weekdays.count < 7 || hours == 0..<24 else { return false }
        return switch polarity {
        case .only: !weekdays.contains(weekday)
        case .never: weekdays.contains(weekday) && hours.contains(19)
        }
    }
}

extension StatedWindow {
    /// Words read of one clause at most.
    private static let wordLimit = 48

    /// The windows that the limits of one note state, clause by clause; a clause that takes no side states none.
    ///
    /// Hours without a day are those of every day, or else of the days that are named beside them: "works on Friday until
    /// seven", "nothing before eight".
    package static func windows(in limits: [String]) -> [StatedWindow] {
        if limits.isEmpty { return [] }
        // With their lengths, so that no two lists are one text.
        return known.value(of: limits.map { "\($0.utf8.count):\($0)" }.joined()) { read(limits) }
    }

    private static let known = TextMemory<[StatedWindow]>(capacity: 1_024)

    private static func read(_ limits: [String]) -> [StatedWindow] {
        let clauses = limits.flatMap { limit in
            RangeSpelling.plain(limit).utf8.split { ",;.".utf8.contains($0) }.map {
                Tokenizer.words(of: String(Substring($0)), limit: wordLimit)
            }
        }
        let stated = clauses.map { (words: $0, days: StatedDays($0)) }
        guard stated.allSatisfy(\.days.isEmpty) else { return stated.flatMap { windows(inClause: $0.words, $0.days) } }
        return clauses.flatMap(DailyHours.ruledOut).map { hours in
            StatedWindow(polarity: .never, days: [], daysOfMonth: [], weekdays: Set(Weekday.allCases), hours: hours)
        }
    }

    package static func windows(in limit: String) -> [StatedWindow] { windows(in: [limit]) }

    private static func windows(inClause words: [String], _ stated: StatedDays) -> [StatedWindow] {
        guard !stated.isEmpty else { return [] }
        // "From 8 September" names a day and no hour.
        let others = stated.wordsBesideDates
        if let arrival = StatedHours.arrival(in: others) {
            return stated.windows(.never, hours: 0..<arrival)
        }
        guard let polarity = polarity(of: words) else { return [] }
        switch polarity {
        case .only:
            // "Home on Sundays only" is a habit; days of the week bind where somebody says that they are free.
            let binds = stated.namesMonths || !stated.isOfAnyMonth && words.contains { freedom.contains($0) }
            return binds ? stated.windows(.only, hours: 0..<24) : []
        case .never:
            // A stretch that says when it begins and ends has no hours that come again each day.
            if let ends = stated.ends { return stated.windows(from: ends.first, until: ends.last) }
            return stated.windows(.never, hours: StatedHours.hours(in: others))
        }
    }

    /// Where somebody is, or what they do there, when they cannot go out.
    package static let absences: Set<String> = [
        "not", "works", "working", "work", "shift", "shifts", "busy", "unavailable", "away", "gig", "gigs", "rehearsal",
        "rehearsals", "rehearses", "exam", "exams", "meeting", "meetings", "training", "trains", "rostered", "site",
        "duty", "call", "travelling", "traveling", "travels", "abroad", "conference", "court", "clinic", "placement",
        "jury", "playing", "performing", "performs", "teaching", "teaches", "tour", "overnight", "flying", "flies",
        "tournament", "appointment", "surgery", "hospital", "lecture", "lectures", "mass", "church", "practice",
        "coaching", "marking", "stocktake", "inventory", "seminar", "webinar", "audit", "nightshift", "overtime",
    ]

    /// "Saturday evening only" merely picks one evening; a window needs a word that says where they are.
    private static let presences: Set<String> = [
        "free", "off", "home", "here", "visit", "visits", "visiting", "available", "together", "in", "town",
    ]

    private static let freedom: Set<String> = ["free", "available"]

    private static func polarity(of words: [String]) -> Polarity? {
        if words.contains("only") { return words.contains(where: presences.contains) ? .only : nil }
        if words.contains("visiting"), !words.contains("us") { return .never }
        guard words.contains(where: absences.contains) else { return nil }
        return isLifted(words) ? nil : .never
    }

    /// "off work on Friday", "not working Saturday", "free after the exam".
    private static func isLifted(_ words: [String]) -> Bool {
        words.indices.contains { place in
            let before = place > 0 ? words[place - 1] : ""
            if ["free", "off"].contains(words[place]) { return !words[..<place].contains("not") }
            return before == "not" && ["working", "works", "away", "busy"].contains(words[place])
        }
    }

    // MARK: - Weekdays

    /// English, Spanish and French names.
    private static let weekdayNames: [(Weekday, [String])] = [
        (.monday, ["monday", "lunes", "lundi"]), (.tuesday, ["tuesday", "martes", "mardi"]),
        (.wednesday, ["wednesday", "miercoles", "mercredi"]), (.thursday, ["thursday", "jueves", "jeudi"]),
        (.friday, ["friday", "viernes", "vendredi"]), (.saturday, ["saturday", "sabado", "samedi"]),
        (.sunday, ["sunday", "domingo", "dimanche"]),
    ]

    private static let shortWeekdays: [(Weekday, [String])] = [
        (.monday, ["mon"]), (.tuesday, ["tue", "tues"]), (.wednesday, ["wed", "weds"]),
        (.thursday, ["thu", "thur", "thurs"]), (.friday, ["fri"]), (.saturday, ["sat"]), (.sunday, ["sun"]),
    ]

    /// Whether a folded word that names a weekday is another word or somebody's name as well.
    static func isDoubtfulWeekday(_ word: String) -> Bool { doubtfulWeekdays.contains(word) }

    private static let doubtfulWeekdays: Set<String> = ["mon", "wed", "weds", "sat", "sun", "mardi", "domingo"]

    /// The weekday a folded word names, in the singular or the plural.
    static func weekday(_ word: String) -> Weekday? { weekday(print: Fingerprint.of(word)) }

    /// The same, the word given by its fingerprint.
    static func weekday(print: UInt64) -> Weekday? { weekdaysByFingerprint[print] }

    /// Short forms have no plural: "thus", "suns" and "mons" name no day.
    private static let weekdaysByFingerprint: [UInt64: Weekday] = Dictionary(
        (weekdayNames.map { ($0, $1 + $1.map { name in name + "s" }) } + shortWeekdays).flatMap { day, names in
            names.map { (Fingerprint.of($0), day) }
        }
    ) { first, _ in first }

    // MARK: - Months

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The month a folded word names, in full or by its first letters, from 1.
    static func month(_ word: String) -> Int? { monthsByFingerprint[Fingerprint.of(word)] }

    /// By the fingerprint of a name's beginning: no two of three letters are the same.
    private static let monthsByFingerprint: [UInt64: Int] = Dictionary(
        months.enumerated().flatMap { index, name in
            (3...name.count).map { (Fingerprint.of(String(name.prefix($0))), index + 1) }
        }
    ) { first, _ in first }
}

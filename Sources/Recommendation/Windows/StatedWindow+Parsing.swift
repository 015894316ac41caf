import KnotDomain
import TextEncoding

extension StatedWindow {
    /// The windows a limit states, clause by clause; a clause that names no day or takes no side states none.
    static func windows(in limit: String) -> [StatedWindow] {
        limit.split(whereSeparator: { ",;.".contains($0) }).compactMap { window(in: String($0)) }
    }

    private static func window(in clause: String) -> StatedWindow? {
        let words = Tokenizer.words(of: clause, limit: 40)
        let days = days(in: words)
        let daysOfMonth = days == nil ? daysOfMonth(in: words) : []
        let weekdays = weekdays(in: words)
        guard days != nil || !daysOfMonth.isEmpty || !weekdays.isEmpty else { return nil }
        if let arrival = arrival(in: words) {
            return StatedWindow(
                polarity: .never,
                days: days,
                daysOfMonth: daysOfMonth,
                weekdays: weekdays,
                hours: 0..<arrival
            )
        }
        guard let polarity = polarity(of: words), polarity == .never || days != nil || daysOfMonth.isEmpty else {
            return nil
        }
        return StatedWindow(
            polarity: polarity,
            days: days,
            daysOfMonth: daysOfMonth,
            weekdays: weekdays,
            hours: hours(in: words)
        )
    }

    /// Where somebody is, or what they do there, when they cannot go out.
    static let absences: Set<String> = [
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

    /// "lands on the 12th at six": before that hour nobody is there.
    private static func arrival(in words: [String]) -> Int? {
        let arrives = words.indices.contains { place in
            ["lands", "arrives", "returns"].contains(words[place])
                || ["back", "home"].contains(words[place]) && place > 0
                    && ["comes", "gets", "is", "flies"].contains(words[place - 1])
        }
        return arrives ? hour(after: ["at", "about", "around"], in: words) : nil
    }

    // MARK: - Days of the month

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ word: String) -> Int? {
        guard word.count >= 3, let index = months.firstIndex(where: { word.hasPrefix($0) }) else { return nil }
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november",
            "december",
        ]
        return names[index].hasPrefix(word) || word == "sept" ? index + 1 : nil
    }

    /// "19-22 December", "19 to 22 December", "Dec 19 through 22", "3 October".
    private static func days(in words: [String]) -> ClosedRange<Day>? {
        guard let place = words.firstIndex(where: { month($0) != nil }), let month = month(words[place]) else {
            return nil
        }
        let numbers = words.indices.compactMap { index -> (Int, Int)? in
            guard let (value, isOrdinal) = number(words[index]), isOrdinal || !isHour(index, in: words) else {
                return nil
            }
            return (index, value)
        }
        // Only numbers beside the month are its days.
        let near = numbers.filter { abs($0.0 - place) <= 4 }.map(\.1)
        guard let first = near.first else { return nil }
        let last = near.count > 1 && near[1] >= first ? near[1] : first
        return Day(month: month, day: first)...Day(month: month, day: last)
    }

    /// A number that can be a day, and whether it is written as one: "22nd".
    private static func number(_ word: String) -> (value: Int, isOrdinal: Bool)? {
        let digits = word.prefix { $0.isNumber }
        let suffix = word.dropFirst(digits.count)
        guard let value = Int(digits), (1...31).contains(value), ["", "st", "nd", "rd", "th"].contains(suffix) else {
            return nil
        }
        return (value, !suffix.isEmpty)
    }

    /// "5 pm", "until 7": the number counts hours; "until 7 December" does not.
    private static func isHour(_ place: Int, in words: [String]) -> Bool {
        let next = place + 1 < words.count ? words[place + 1] : ""
        let before = place > 0 ? words[place - 1] : ""
        if month(next) != nil || month(before) != nil { return false }
        return ["am", "pm", "oclock", "sharp"].contains(next)
            || ["until", "till", "til", "at", "after", "before", "by"].contains(before)
    }

    /// "the 22nd and 23rd", "16th to 18th", "8th-11th".
    private static func daysOfMonth(in words: [String]) -> Set<Int> {
        var found: Set<Int> = []
        var previous: (place: Int, day: Int)?
        for (place, word) in words.enumerated() {
            guard let (day, isOrdinal) = number(word), isOrdinal else { continue }
            found.insert(day)
            if let last = previous, last.day < day, spans(words[(last.place + 1)..<place]) {
                found.formUnion(last.day...day)
            }
            previous = (place, day)
        }
        return found
    }

    /// Whether two days stand at the ends of a stretch: a hyphen leaves nothing between them.
    private static func spans(_ between: ArraySlice<String>) -> Bool {
        between.allSatisfy { ["to", "through", "until", "till", "thru", "the"].contains($0) }
    }

    // MARK: - Weekdays

    /// English, Spanish and French names, with their short forms.
    private static let weekdayNames: [(Weekday, [String])] = [
        (.monday, ["monday", "mon", "lunes", "lundi"]), (.tuesday, ["tuesday", "tue", "tues", "martes", "mardi"]),
        (.wednesday, ["wednesday", "wed", "weds", "miercoles", "mercredi"]),
        (.thursday, ["thursday", "thu", "thur", "thurs", "jueves", "jeudi"]),
        (.friday, ["friday", "fri", "viernes", "vendredi"]), (.saturday, ["saturday", "sat", "sabado", "samedi"]),
        (.sunday, ["sunday", "sun", "domingo", "dimanche"]),
    ]

    /// Words for several days at once.
    private static let weekdayGroups: [String: Set<Weekday>] = [
        "weekend": [.saturday, .sunday], "weekends": [.saturday, .sunday],
        "weekday": [.monday, .tuesday, .wednesday, .thursday, .friday],
        "weekdays": [.monday, .tuesday, .wednesday, .thursday, .friday],
        "weeknights": [.monday, .tuesday, .wednesday, .thursday, .friday],
    ]

    /// The weekday a folded word names, in the singular or the plural.
    static func weekday(_ word: String) -> Weekday? { weekday(print: Fingerprint.of(word)) }

    /// The same, the word given by its fingerprint.
    static func weekday(print: UInt64) -> Weekday? { weekdaysByPrint[print] }

    private static let weekdaysByPrint: [UInt64: Weekday] = Dictionary(
        weekdayNames.flatMap { day, names in
            names.flatMap { [(Fingerprint.of($0), day), (Fingerprint.of($0 + "s"), day)] }
        }
    ) { first, _ in first }

    private static func weekdays(in words: [String]) -> Set<Weekday> {
        var found: Set<Weekday> = []
        var previous: (place: Int, day: Weekday)?
        for (place, word) in words.enumerated() {
            // "The Mother's Day weekend" is one of many.
            let isEvery = word.hasSuffix("s") || place > 0 && ["every", "each"].contains(words[place - 1])
            if isEvery, let group = weekdayGroups[word] { found.formUnion(group) }
            guard let day = weekday(word) else { continue }
            found.insert(day)
            if let last = previous, last.day.rawValue < day.rawValue, spans(words[(last.place + 1)..<place]) {
                found.formUnion((last.day.rawValue...day.rawValue).compactMap(Weekday.init(rawValue:)))
            }
            previous = (place, day)
        }
        return found
    }

    // MARK: - Hours

    private static let numberWords = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "noon": 12,
    ]

    /// "after six" begins then, "until two" ends then; hours up to eight are taken for the afternoon or evening.
    private static func hours(in words: [String]) -> Range<Int> {
        if let hour = hour(after: ["after", "from"], in: words) {
            let end = Self.hour(after: ["until", "till", "til", "to"], in: words) ?? 24
            return hour..<(end > hour ? end : 24)
        }
        // Nobody is on duty until nine in the morning.
        if let hour = hour(after: ["until", "till", "til", "before"], in: words) {
            let isEvening = (9...11).contains(hour) && !words.contains { $0.hasSuffix("am") || $0.hasPrefix("morning") }
            return 0..<(isEvening ? hour + 12 : hour)
        }
        if words.contains("overnight") { return 0..<24 }
        if words.contains(where: { $0.hasPrefix("morning") }) { return 0..<12 }
        if words.contains("daytime") { return 0..<17 }
        return words.contains { $0.hasPrefix("evening") || $0.hasPrefix("night") } ? 17..<24 : 0..<24
    }

    private static func hour(after openers: Set<String>, in words: [String]) -> Int? {
        for (place, word) in words.enumerated() where openers.contains(word) && place + 1 < words.count {
            let next = words[place + 1]
            let digits = next.prefix { $0.isNumber }
            guard let hour = numberWords[next] ?? Int(digits), (1...23).contains(hour) else { continue }
            let isMorning = next.hasSuffix("am") || (place + 2 < words.count && words[place + 2] == "am")
            return hour <= 8 && !isMorning ? hour + 12 : hour
        }
        return nil
    }
}

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
        let weekdays = weekdays(in: words)
        guard days != nil || !weekdays.isEmpty, let polarity = polarity(of: words) else { return nil }
        return StatedWindow(polarity: polarity, days: days, weekdays: weekdays, hours: hours(in: words))
    }

    private static let absences: Set<String> = [
        "not", "works", "working", "work", "shift", "shifts", "busy", "unavailable", "away",
    ]

    /// "Saturday evening only" merely picks one evening; a window needs a word that says where they are.
    private static let presences: Set<String> = [
        "free", "off", "home", "here", "visit", "visits", "visiting", "available", "together", "in", "town",
    ]

    private static func polarity(of words: [String]) -> Polarity? {
        if words.contains("only") { return words.contains(where: presences.contains) ? .only : nil }
        return words.contains(where: absences.contains) ? .never : nil
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
        let numbers = words.enumerated().compactMap { index, word -> (Int, Int)? in
            let digits = word.prefix { $0.isNumber }
            let suffix = word.dropFirst(digits.count)
            guard let value = Int(digits), (1...31).contains(value), ["", "st", "nd", "rd", "th"].contains(suffix)
            else {
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

    // MARK: - Weekdays

    /// English, Spanish and French names, with their short forms.
    private static let weekdayNames: [(Weekday, [String])] = [
        (.monday, ["monday", "mon", "lunes", "lundi"]), (.tuesday, ["tuesday", "tue", "tues", "martes", "mardi"]),
        (.wednesday, ["wednesday", "wed", "weds", "miercoles", "mercredi"]),
        (.thursday, ["thursday", "thu", "thur", "thurs", "jueves", "jeudi"]),
        (.friday, ["friday", "fri", "viernes", "vendredi"]), (.saturday, ["saturday", "sat", "sabado", "samedi"]),
        (.sunday, ["sunday", "sun", "domingo", "dimanche"]),
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
            guard let day = weekday(word) else { continue }
            found.insert(day)
            if let last = previous, place - last.place == 2,
                ["to", "through", "until", "till"].contains(words[place - 1]),
                last.day.rawValue < day.rawValue
            {
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
        if let hour = hour(after: ["after", "from"], in: words) { return hour..<24 }
        if let hour = hour(after: ["until", "till", "til", "before"], in: words) { return 0..<hour }
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

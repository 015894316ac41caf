/// The hours of every day at which a limit without a day rules an outing out: "no evenings", "home by ten at night".
///
/// A clause counts only where each of its words belongs to such a limit: "morning coffee only" is about coffee, and "no
/// night shifts" about work.
enum DailyHours {
    /// An outing of a night ends before the next morning: hours from 24 on are those of the day after.
    private static let morning = 5
    private static let evening = 17
    private static let end = 24 + morning

    /// The stretches of hours that a clause's folded words rule out; none for a clause that is no such limit.
    static func ruledOut(by clause: [String]) -> [Range<Int>] {
        let words = Array(clause.prefix { !["because", "since"].contains($0) })
        guard words.indices.allSatisfy({ isOfLimit($0, in: words) }) else { return [] }
        let isOnly = words.contains("only")
        let isDenied = words.indices.contains { isDenial($0, in: words) }
        // "Only home in the evenings" is a habit of working days.
        guard !isOnly || !isDenied && !words.contains(where: homes.contains) else { return [] }
        if let place = words.indices.first(where: { hour(at: $0, in: words) != nil && isOpened($0, in: words) }) {
            return ruledOut(byHourAt: place, in: words, isOnly: isOnly, isDenied: isDenied).map { [$0] } ?? []
        }
        guard !words.contains(where: openers.contains) else { return [] }
        let named = words.compactMap { parts[$0] }
        if isDenied { return named.map { words.contains("late") ? max(21, $0.lowerBound)..<$0.upperBound : $0 } }
        // All but one part of the day.
        return isOnly && named.count == 1 ? [named[0].upperBound..<(24 + named[0].lowerBound)] : []
    }

    private static func ruledOut(byHourAt place: Int, in words: [String], isOnly: Bool, isDenied: Bool) -> Range<Int>? {
        guard let hour = hour(at: place, in: words) else { return nil }
        let isHome = words[..<place].contains(where: homes.contains)
        if befores.contains(words[place - 1]) {
            if isHome, !isDenied { return range(from: hour.evening - 1, to: end) }
            if isOnly { return range(from: hour.evening, to: end) }
            // "Not home until seven" says nothing of the days off, and "before eight" may be either.
            guard isDenied, !isHome, words[place - 1] != "by" else { return nil }
            return hour.isSaid || hour.bare >= 9 ? range(from: 0, to: hour.isSaid ? hour.evening : hour.bare) : nil
        }
        if isDenied { return range(from: hour.evening, to: end) }
        return isOnly ? range(from: end, to: 24 + hour.evening) : nil
    }

    private static func range(from start: Int, to end: Int) -> Range<Int>? { start < end ? start..<end : nil }

    // MARK: - Words

    private static let parts: [String: Range<Int>] = [
        "morning": morning..<12, "mornings": morning..<12, "afternoon": 12..<evening, "afternoons": 12..<evening,
        "daytime": morning..<evening, "daytimes": morning..<evening, "evening": evening..<end,
        "evenings": evening..<end,
        "night": evening..<end, "nights": evening..<end,
    ]
    private static let denials: Set<String> = [
        "no", "not", "never", "nothing", "cannot", "cant", "can't", "dont", "don't",
    ]
    private static let homes: Set<String> = ["home", "back", "bed", "curfew"]
    private static let befores: Set<String> = ["by", "before", "until", "till", "til"]
    private static let afters: Set<String> = ["after", "past", "from", "than"]
    private static let openers = befores.union(afters)

    /// What else may stand in such a limit without making it one of something else.
    private static let fillers: Set<String> = [
        "only", "the", "in", "at", "on", "be", "are", "is", "it", "we", "us", "she", "he", "they", "them", "our", "can",
        "do",
        "make", "manage", "go", "going", "out", "have", "has", "to", "must", "need", "needs", "should", "get", "for",
        "of",
        "late", "later", "too", "any", "and", "or", "nor", "t", "events", "outings", "plans", "dates", "anything",
        "possible", "available", "free", "suits", "suit", "sitter", "babysitter", "baby", "kids", "children", "am",
        "pm",
        "oclock", "o'clock", "sharp", "latest", "please",
    ]

    private static func isOfLimit(_ place: Int, in words: [String]) -> Bool {
        let word = words[place]
        // "Only mornings work for us", and not "works mornings".
        if ["work", "works"].contains(word) { return place + 1 < words.count && words[place + 1] == "for" }
        return fillers.contains(word) || denials.contains(word) || homes.contains(word) || openers.contains(word)
            || parts[word] != nil || hour(at: place, in: words) != nil || isMinutes(place, in: words)
    }

    /// "Evenings are out" denies as "no evenings" does; "no nights out" does so once.
    private static func isDenial(_ place: Int, in words: [String]) -> Bool {
        denials.contains(words[place])
            || words[place] == "out" && place > 0 && ["are", "is"].contains(words[place - 1])
    }

    private static func isOpened(_ place: Int, in words: [String]) -> Bool {
        place > 0 && openers.contains(words[place - 1])
    }

    private static func isMinutes(_ place: Int, in words: [String]) -> Bool {
        ["00", "15", "30", "45"].contains(words[place]) && place > 0 && Int(words[place - 1]) != nil
    }

    // MARK: - Hours

    private struct Hour {
        /// As it is written, without the half of the day.
        let bare: Int
        /// Taken for the afternoon or the night where nothing else is said; after midnight from 24 on.
        let evening: Int
        /// Whether the half of the day is said.
        let isSaid: Bool
    }

    private static func hour(at place: Int, in words: [String]) -> Hour? {
        let word = words[place]
        if word == "noon" { return Hour(bare: 12, evening: 12, isSaid: true) }
        if word == "midnight" { return Hour(bare: 12, evening: 24, isSaid: true) }
        let digits = word.prefix { $0.isNumber }
        let suffix = digits.isEmpty ? "" : String(word.dropFirst(digits.count))
        guard let hour = StatedHours.numberWords[word] ?? Int(digits), (1...23).contains(hour),
            ["", "am", "pm", "h"].contains(suffix), !isMinutes(place, in: words)
        else { return nil }
        let rest = words[(place + 1)...]
        let isMorning = suffix == "am" || rest.contains { $0 == "am" || $0 == "morning" }
        let isLate = suffix == "pm" || rest.contains { ["pm", "night", "evening", "afternoon"].contains($0) }
        if hour > 12 || suffix == "h" { return Hour(bare: hour, evening: hour, isSaid: true) }
        // Of a night out, "two in the morning" is an hour of the day after.
        if isMorning { return Hour(bare: hour, evening: hour % 12 < morning ? 24 + hour % 12 : hour, isSaid: true) }
        // "Twelve" is midnight for whoever goes out, and "12 pm" noon.
        let isNoon = hour == 12 && (suffix == "pm" || rest.first == "pm")
        return Hour(bare: hour, evening: isNoon ? 12 : hour + 12, isSaid: isLate)
    }
}

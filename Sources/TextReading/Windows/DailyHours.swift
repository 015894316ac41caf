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
        // When children go to bed says nothing of when their parents are out.
        guard !words.contains("bed") || !words.contains(where: children.contains) else { return [] }
        if let pair = HourPair(in: words) {
            return ruledOut(by: pair, in: words, isOnly: isOnly, isDenied: isDenied).map { [$0] } ?? []
        }
        if let place = words.indices.first(where: { hour(at: $0, in: words) != nil && isOpened($0, in: words) }) {
            return ruledOut(byHourAt: place, in: words, isOnly: isOnly, isDenied: isDenied).map { [$0] } ?? []
        }
        guard !words.contains(where: openers.contains) else { return [] }
        let named = words.compactMap { parts[$0] }
        if isDenied { return named.map { words.contains("late") ? max(21, $0.lowerBound)..<$0.upperBound : $0 } }
        // All but one part of the day.
        return isOnly && named.count == 1 ? [named[0].upperBound..<(24 + named[0].lowerBound)] : []
    }

    /// "Only free from ten to four", "not between two and four".
    private static func ruledOut(by pair: HourPair, in words: [String], isOnly: Bool, isDenied: Bool) -> Range<Int>? {
        // Without "from" or "free", "no nine to five" is about work.
        let isOpened = pair.first > 0 && afters.contains(words[pair.first - 1])
        guard isOpened || words.contains(where: freedom.contains), !words.contains(where: homes.contains),
            let stretch = pair.stretch(in: words)
        else { return nil }
        if isDenied { return stretch }
        return isOnly ? range(from: stretch.upperBound, to: 24 + stretch.lowerBound) : nil
    }

    private static func ruledOut(byHourAt place: Int, in words: [String], isOnly: Bool, isDenied: Bool) -> Range<Int>? {
        guard let hour = hour(at: place, in: words), words[place - 1] != "between" else { return nil }
        let isHome = words[..<place].contains(where: homes.contains)
        // Where the next morning ends an evening, nothing of the day before it is ruled out.
        if isHome, hour.isOfMorning { return nil }
        if befores.contains(words[place - 1]) {
            if isHome, !isDenied { return range(from: hour.evening - 1, to: end) }
            if isOnly { return range(from: hour.evening, to: end) }
            // "Not home until seven" says nothing of the days off, and "before eight" may be either.
            guard isDenied, !isHome, words[place - 1] != "by" else { return nil }
            return hour.isSaid || hour.bare >= 9 ? range(from: 0, to: hour.isSaid ? hour.evening : hour.bare) : nil
        }
        // "No later than six in the morning" leaves the day free, and "not after ten in the morning" does not.
        if isDenied { return hour.isOfMorning && hour.bare < 9 ? nil : range(from: hour.evening, to: end) }
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
    private static let children: Set<String> = ["kid", "kids", "child", "children", "baby", "babies"]
    private static let freedom: Set<String> = ["free", "available"]
    private static let befores: Set<String> = ["by", "before", "until", "till", "til"]
    private static let afters: Set<String> = ["after", "past", "from", "than", "between"]
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

        /// Whether it is said to be of a morning, when no night out lasts any longer.
        var isOfMorning: Bool { isSaid && (morning..<12).contains(evening) }

        /// The hours of a clock of 24 that it may be.
        var clocks: [Int] { isSaid ? [evening % 24] : [bare % 12, bare % 12 + 12] }
    }

    /// Two hours that are the two ends of one stretch: "from ten to four", "2-4 pm".
    private struct HourPair {
        let first: Int
        private let joint: Int
        private let last: Int
        private let isAlone: Bool

        private static let joints: Set<String> = ["to", "until", "till", "til", "and"]
        /// What tells more of the first hour.
        private static let details: Set<String> = [
            "am", "pm", "oclock", "o'clock", "sharp", "in", "the", "at", "morning", "afternoon", "evening", "night",
        ]

        /// Nil where no second hour follows the first; of a hyphen between them nothing is left.
        init?(in words: [String]) {
            func isHour(_ place: Int) -> Bool { DailyHours.hour(at: place, in: words) != nil }
            guard let first = words.indices.first(where: isHour) else { return nil }
            var next = first + 1
            while next < words.count, Self.details.contains(words[next]) || DailyHours.isMinutes(next, in: words) {
                next += 1
            }
            joint = next
            if next < words.count, Self.joints.contains(words[next]) { next += 1 }
            guard next < words.count, isHour(next) else { return nil }
            self.first = first
            last = next
            isAlone = !words.indices.dropFirst(next + 1).contains(where: isHour)
        }

        /// From the first hour to the last, from 24 on those of the day after.
        ///
        /// Nil where the halves of the day stay unclear.
        func stretch(in words: [String]) -> Range<Int>? {
            guard isAlone, let start = DailyHours.hour(at: first, in: Array(words[..<joint])),
                let end = DailyHours.hour(at: last, in: words)
            else { return nil }
            guard start.isSaid || end.isSaid else { return Self.bareStretch(from: start.bare, to: end.bare) }
            // Of the stretches it may be the shortest is meant: "from two to four pm", "from nine to five pm".
            let stretches = start.clocks.flatMap { start in
                end.clocks.map { end in start..<(end > start ? end : end + 24) }
            }
            return stretches.filter { $0.count < 24 }.min { $0.count < $1.count }
        }

        /// Nine to five is a day and two to four an afternoon; seven to nine may be a morning or an evening.
        private static func bareStretch(from start: Int, to end: Int) -> Range<Int>? {
            if start < end { return start <= 5 ? (start + 12)..<(end + 12) : nil }
            return start > end && start >= 8 ? start..<(end + 12) : nil
        }
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
        let isSmall = hour < morning && suffix != "pm" && rest.contains("night") && !rest.contains("pm")
        let isMorning = suffix == "am" || isSmall || rest.contains { $0 == "am" || $0 == "morning" }
        let isLate = suffix == "pm" || rest.contains { ["pm", "night", "evening", "afternoon"].contains($0) }
        if hour > 12 || suffix == "h" { return Hour(bare: hour, evening: hour, isSaid: true) }
        // Of a night out, "two in the morning" is an hour of the day after.
        if isMorning { return Hour(bare: hour, evening: hour % 12 < morning ? 24 + hour % 12 : hour, isSaid: true) }
        // "Twelve" is midnight for whoever goes out, and "12 pm" noon.
        let isNoon = hour == 12 && (suffix == "pm" || rest.first == "pm")
        return Hour(bare: hour, evening: isNoon ? 12 : hour + 12, isSaid: isLate)
    }
}

/// The hours a clause speaks of; bare ones up to eight are taken for the afternoon or evening.
enum StatedHours {
    static let numberWords = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "noon": 12,
    ]
    private static let ends: Set<String> = ["until", "till", "til", "to"]

    /// "after six" begins then, "until two" ends then, and "from ten pm until six" ends on the day after.
    static func hours(in words: [String]) -> Range<Int> {
        if let start = hour(after: ["after", "from"], in: words) {
            guard let end = hour(after: ends, in: words) else { return start..<24 }
            if end > start { return start..<end }
            // An end that is no later than the beginning is the next morning's.
            let morning = hour(after: ends, in: words, isMorning: true) ?? 24
            return start..<(24 + min(morning, 12))
        }
        // Nobody is on duty until nine in the morning.
        if let end = hour(after: ["until", "till", "til", "before"], in: words) {
            let isSaid = words.contains { $0.hasSuffix("am") || $0.hasSuffix("pm") || $0.hasPrefix("morning") }
            return 0..<((9...11).contains(end) && !isSaid ? end + 12 : end)
        }
        if words.contains("overnight") { return 0..<24 }
        if words.contains(where: { $0.hasPrefix("morning") }) { return 0..<12 }
        if words.contains("daytime") { return 0..<17 }
        return words.contains { $0.hasPrefix("evening") || $0.hasPrefix("night") } ? 17..<24 : 0..<24
    }

    /// "lands on the 12th at six": before that hour nobody is there.
    static func arrival(in words: [String]) -> Int? {
        let arrives = words.indices.contains { place in
            ["lands", "arrives", "returns"].contains(words[place])
                || ["back", "home"].contains(words[place]) && place > 0
                    && ["comes", "gets", "is", "flies"].contains(words[place - 1])
        }
        return arrives ? hour(after: ["at", "about", "around"], in: words) : nil
    }

    /// The time that stands right behind a day: "Friday evening", "Monday 9 am", "the 3rd at six"; nil for what comes
    /// again, as "mornings" do.
    static func timeOfDay(at place: Int, in words: [String]) -> ClosedRange<Int>? {
        guard words.indices.contains(place) else { return nil }
        switch words[place] {
        case "morning": return 0...12
        case "afternoon": return 12...17
        case "evening", "night": return 17...24
        case "noon", "lunchtime": return 12...12
        case "midnight": return 0...24
        case "at", "around", "about": return hour(at: place + 1, in: words, isMorning: false).map { $0...$0 }
        default:
            return isMarked(place, in: words) ? hour(at: place, in: words, isMorning: false).map { $0...$0 } : nil
        }
    }

    /// Whether a word only tells a time of the day.
    static func isTime(at place: Int, in words: [String]) -> Bool {
        let word = words[place]
        if ["am", "pm", "oclock"].contains(word) || isMarked(place, in: words) { return true }
        if place > 0, ["at", "around", "about"].contains(words[place - 1]) {
            return hour(at: place, in: words, isMorning: false) != nil
        }
        return ["morning", "afternoon", "evening", "night", "noon", "midnight", "lunchtime"].contains(word)
    }

    /// "9am", "9 am".
    private static func isMarked(_ place: Int, in words: [String]) -> Bool {
        let digits = words[place].prefix { $0.isNumber }
        let suffix = words[place].dropFirst(digits.count)
        if digits.isEmpty && numberWords[words[place]] == nil { return false }
        if ["am", "pm"].contains(suffix) { return true }
        return suffix.isEmpty && place + 1 < words.count && ["am", "pm", "oclock"].contains(words[place + 1])
    }

    private static func hour(after openers: Set<String>, in words: [String], isMorning: Bool = false) -> Int? {
        for (place, word) in words.enumerated() where openers.contains(word) {
            if let hour = hour(at: place + 1, in: words, isMorning: isMorning) { return hour }
        }
        return nil
    }

    private static func hour(at place: Int, in words: [String], isMorning: Bool) -> Int? {
        guard words.indices.contains(place) else { return nil }
        let word = words[place]
        if word == "midnight" { return isMorning ? 0 : 24 }
        let digits = word.prefix { $0.isNumber }
        let suffix = digits.isEmpty ? "" : word.dropFirst(digits.count)
        guard ["", "am", "pm", "h"].contains(suffix), let hour = numberWords[word] ?? Int(digits),
            (1...23).contains(hour)
        else { return nil }
        let next = place + 1 < words.count ? words[place + 1] : ""
        if suffix == "pm" || next == "pm" { return hour < 12 ? hour + 12 : hour }
        if suffix == "am" || next == "am" { return hour == 12 ? 0 : hour }
        return hour <= 8 && !isMorning ? hour + 12 : hour
    }
}

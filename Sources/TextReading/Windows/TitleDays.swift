package import KnotDomain
package import TextEncoding

/// The weekdays on which something happens as its title says it: "Kiln Hour, Fridays and Sundays", "Market Walk Mon–Wed".
package enum TitleDays {
    /// Letters read of a title.
    private static let longest = 240
    private static let wordLimit = 48

    /// Every day that is named, with all of a stretch, but for those on which it is not.
    package static func weekdays(in title: String) -> Set<Weekday> {
        var words = Tokenizer.words(of: RangeSpelling.plain(String(title.prefix(longest))), limit: wordLimit)
        for place in words.indices.flatMap({ excepted(behind: $0, in: words) }) { words[place] = "" }
        let doubtful = words.indices.filter {
            StatedWindow.isDoubtfulWeekday(words[$0]) && !isBesideDay($0, in: words)
        }
        for place in doubtful { words[place] = "" }
        return StatedDays(words).everyWeekday
    }

    /// A quick look whether a title's words may name a day at all.
    package static func mayBeNamed(in words: [WordFingerprint]) -> Bool {
        words.contains { StatedWindow.weekday(print: $0.word) != nil || groups.contains($0.word) }
    }

    private static let groups = Set(StatedDays.weekdayGroups.keys.map(Fingerprint.of))

    private static let exceptions: Set<String> = ["except", "excluding", "closed", "not", "no", "but", "without"]

    /// What may stand between such a word and the days it takes out.
    private static let leads: Set<String> = ["on", "every", "each", "for", "the"]

    /// The places of the days right behind a word that takes days out: "closed Sundays and Mondays" has two, "not your
    /// average Friday" none.
    private static func excepted(behind place: Int, in words: [String]) -> Range<Int> {
        var start = place + 1
        guard exceptions.contains(words[place]) else { return start..<start }
        while start < words.count, leads.contains(words[start]) { start += 1 }
        let others = words[start...].firstIndex { word in
            StatedWindow.weekday(word) == nil && StatedDays.weekdayGroups[word] == nil && !joints.contains(word)
        }
        return start..<(others ?? words.count)
    }

    /// What may stand between two days.
    private static let joints: Set<String> = [
        "and", "or", "to", "through", "thru", "until", "till", "til", "plus", "the",
    ]

    /// Whether another weekday stands beside a short one, or a time or a date right behind it: the sun and a bride's vows
    /// are no days.
    private static func isBesideDay(_ place: Int, in words: [String]) -> Bool {
        let next = place + 1
        if next < words.count, StatedHours.isTime(at: next, in: words) || words[next].first?.isNumber == true {
            return true
        }
        let before = words[..<place].last { !joints.contains($0) }
        let after = words[next...].first { !joints.contains($0) }
        return [before, after].contains { $0.flatMap(StatedWindow.weekday) != nil }
    }
}

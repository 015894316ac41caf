/// Time windows, places and other limits, as short phrases in the hint's own words, and what still fits into them.
struct LimitRule: Sendable {
    static let times = RuleWords.monthsAndDays.union(
        RuleWords.set("pm am oclock early late noon shift lunch dinner hour hours")
    )
    static let windows = RuleWords.set(
        """
        free off works working until till before after land lands leave leaves only between away shift max
        sharp home early up near close far nearby local walking lands arrives returns back visiting nights
        """
    ).union(StatedWindow.absences.subtracting(["not"]))
    static let places = RuleWords.set("near nearby far local fly motorway")
    private static let longestPhrase = 14
    private static let longestWindow = 30

    func limits(in text: HintText) -> [String] {
        var limits: [String] = []
        for clause in text.clauses where limits.count < 3 {
            let hasTime = clause.contains { text.words[$0].kinds.contains(.time) || text.words[$0].isNumber }
            let hasWindow = clause.contains { text.words[$0].kinds.contains(.window) }
            let isNear = clause.contains { text.words[$0].kinds.contains(.nearness) }
            guard hasTime && hasWindow || isNear else { continue }
            limits.append(saying(clause, in: text).map(text.text).joined(separator: " "))
        }
        return limits
    }

    /// The words of a clause that state the limit: of a long one those from the first to the last that speak of time or
    /// place, so that no stretch of days loses its end.
    private func saying(_ clause: Range<Int>, in text: HintText) -> Range<Int> {
        guard clause.count > Self.longestPhrase else { return clause }
        let telling = clause.filter { place in
            let kinds = text.words[place].kinds
            return kinds.contains(.time) || kinds.contains(.window) || kinds.contains(.nearness)
                || text.words[place].isNumber || StatedDates.number(text.words[place].text) != nil
        }
        guard let first = telling.first, let last = telling.last else { return clause.prefix(Self.longestPhrase) }
        // "Not", "only" and "until" stand just before what they are said of.
        let start = max(clause.lowerBound, first - 2)
        return start..<min(clause.upperBound, max(last + 2, start + Self.longestPhrase), start + Self.longestWindow)
    }

    /// What an evening, an early or a weekend window still leaves room for.
    func fits(_ text: HintText) -> [String] {
        let isEarly =
            text.contains(anyOf: ["early", "sharp"])
            || text.words.contains { $0.text == "up" } && text.contains(anyOf: ["at"])
        if isEarly { return ["early dinner for two", "afternoon date", "matinee for two", "home date night"] }
        if text.contains(anyOf: ["evening", "night", "seven", "eight", "tonight", "late", "dark"]) {
            return ["evening for two", "late dinner for two", "live music evening"]
        }
        if text.contains(anyOf: ["saturday", "sunday", "weekend", "sat", "sun", "saturdays", "sundays"]) {
            return ["weekend day out", "weekend date for two", "lunch for two"]
        }
        return ["flexible date for two", "dinner for two", "day out together"]
    }
}

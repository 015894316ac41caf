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

    func limits(in text: HintText) -> [String] {
        var limits: [String] = []
        for clause in text.clauses where limits.count < 3 {
            let hasTime = clause.contains { text.words[$0].kinds.contains(.time) || text.words[$0].isNumber }
            let hasWindow = clause.contains { text.words[$0].kinds.contains(.window) }
            let isNear = clause.contains { text.words[$0].kinds.contains(.nearness) }
            guard hasTime && hasWindow || isNear else { continue }
            limits.append(clause.prefix(Self.longestPhrase).map(text.text).joined(separator: " "))
        }
        return limits
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

import KnotDomain
import TextReading

/// How a hint stands to its thing and how strongly it should steer.
struct StanceRule: Sendable {
    struct Judgement: Sendable {
        let stance: HintReading.Stance
        let strength: Double
        /// The word that expresses the wish; what follows it is wished for.
        let wish: Int?
        /// It rules something out and speaks well of something else: "loves jazz, hates country".
        var isMixed = false
        /// It only tells of a day on which something else is.
        var isAppointment = false
    }

    func judge(
        _ text: HintText,
        subject: SubjectRule.Wish,
        refused: WordPlaces,
        conditions: Int,
        remedies: Int
    ) -> Judgement {
        if subject.subject == .user || subject.subject == .other {
            return Judgement(stance: .wants, strength: 0, wish: subject.verb >= 0 ? subject.verb : nil)
        }
        let open = text.words.indices.filter { !refused.contains($0) }
        let wish = strongestWish(text, in: open)
        let isLiked = open.contains { text.words[$0].kinds.contains(.liking) }
        let troubleCount =
            open.count { text.words[$0].kinds.contains(.trouble) }
            + open.count { text.text($0) == "not" && ["can", "will", "does", "do"].contains(text.text($0 - 1)) }
        let isTrouble = troubleCount > 0
        if !refused.isEmpty || conditions > 0 {
            let isTroubled = isTrouble && remedies > 0 && !refused.contains(0)
            let isMostlyNo = refused.contains(0) && !hasContrast(text, refused) || open.count * 2 < text.words.count
            if isTroubled, wish == nil { return Judgement(stance: .needs, strength: 0.85, wish: nil) }
            if wish == nil || isMostlyNo && !hasContrast(text, refused) {
                let isState = refused.isEmpty && isTrouble
                let isMixed = !isState && isElseLiked(text, refused)
                return Judgement(stance: isState ? .needs : .avoids, strength: 0.7, wish: nil, isMixed: isMixed)
            }
        }
        if let wish {
            return Judgement(stance: .wants, strength: wish.strength, wish: wish.word)
        }
        if isTrouble, remedies > 0 {
            return Judgement(stance: .needs, strength: troubleCount > 1 ? 0.92 : 0.86, wish: nil)
        }
        let isTimetable = isTimetable(text)
        if isTimetable, LimitRule.leavesRoom(text) { return Judgement(stance: .fact, strength: 0.8, wish: nil) }
        if isLiked { return Judgement(stance: .likes, strength: remedies > 0 ? 0.85 : 0.75, wish: nil) }
        if isTrouble { return Judgement(stance: .needs, strength: 0.75, wish: nil) }
        if isTimetable { return Judgement(stance: .fact, strength: 0.45, wish: nil, isAppointment: true) }
        if remedies > 0 { return Judgement(stance: .likes, strength: 0.75, wish: nil) }
        return Judgement(stance: .fact, strength: 0.45, wish: nil)
    }

    private func strongestWish(_ text: HintText, in open: [Int]) -> (word: Int, strength: Double)? {
        for list in [Patterns.plainWishes, Patterns.wishing, Patterns.wishNouns, Patterns.tempting] {
            let best = list.matches(in: text, from: open)
                .filter { !["not", "nobody"].contains(text.text($0.range.lowerBound - 1)) || list.allowsNo($0) }
                .min { ($0.rank, $0.range.lowerBound) < ($1.rank, $1.range.lowerBound) }
            if let best { return (best.range.upperBound - 1, best.range.count > 1 ? 0.95 : 0.9) }
        }
        return nil
    }

    /// A positive clause after the refusal that says what she can have.
    private func hasContrast(_ text: HintText, _ refused: WordPlaces) -> Bool {
        text.clauses.contains { clause in
            !refused.contains(clause.lowerBound) && text.words[clause.lowerBound].kinds.contains(.turning)
        }
    }

    private static let fondness = RuleWords.set("fondness")

    /// A liking of something that is not refused: it stands in another clause, or before the refusal in the same one.
    private func isElseLiked(_ text: HintText, _ refused: WordPlaces) -> Bool {
        text.clauses.contains { (clause: Range<Int>) -> Bool in
            let open = clause.prefix { !refused.contains($0) }
            guard let liking = open.first(where: { Self.fondness.contains(text.text($0)) }) else { return false }
            let isOver = open.contains { text.text($0) == "used" && text.text($0 + 1) == "to" }
            let isWhole = open.count == clause.count
            return !isOver && open.contains { ($0 > liking || isWhole && $0 < liking) && text.words[$0].isContent }
        }
    }

    /// Days and hours: who is free when, or on which of them something else is.
    private func isTimetable(_ text: HintText) -> Bool {
        let days = text.words.count { $0.kinds.contains(.calendar) || $0.isNumber }
        return days > 0 && text.contains(.timetable) || days > 1
    }
}

/// Time windows, places and other limits, as short phrases in the hint's own words, and what still fits into them.
struct LimitRule: Sendable {
    static let absences = StatedWindow.absences.subtracting(["not"])
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

    private static let openings = RuleWords.set("openings")
    private static let bounds = RuleWords.set("bounds of time")

    /// Whether it says when somebody is free, or from when or until when they are not.
    static func leavesRoom(_ text: HintText) -> Bool {
        text.words.indices.contains { place in
            if bounds.contains(text.text(place)) { return true }
            let isOut = text.text(place) == "off" && ["to", "sick"].contains(text.text(place + 1))
            let isDenied = (max(0, place - 3)..<place).contains { text.text($0) == "not" }
            return openings.contains(text.text(place)) && !isOut && !isDenied
        }
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

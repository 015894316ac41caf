/// The classes a word belongs to, looked up once when a hint is read.
struct WordKinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let partnerPronoun = WordKinds(rawValue: 1 << 0)
    static let partnerSubject = WordKinds(rawValue: 1 << 1)
    static let couplePronoun = WordKinds(rawValue: 1 << 2)
    static let relation = WordKinds(rawValue: 1 << 3)
    static let nameless = WordKinds(rawValue: 1 << 4)
    static let trouble = WordKinds(rawValue: 1 << 5)
    static let liking = WordKinds(rawValue: 1 << 6)
    static let timetable = WordKinds(rawValue: 1 << 7)
    static let calendar = WordKinds(rawValue: 1 << 8)
    static let refusal = WordKinds(rawValue: 1 << 9)
    static let wanting = WordKinds(rawValue: 1 << 10)
    static let time = WordKinds(rawValue: 1 << 11)
    static let window = WordKinds(rawValue: 1 << 12)
    static let turning = WordKinds(rawValue: 1 << 13)
    static let broken = WordKinds(rawValue: 1 << 14)

    /// The classes of a folded word; most words have none.
    static func of(_ word: String) -> WordKinds { table[word] ?? [] }

    private static let table: [String: WordKinds] = {
        var table: [String: WordKinds] = [:]
        let classes: [(WordKinds, [Set<String>])] = [
            (.partnerPronoun, [RuleWords.partnerPronouns]), (.partnerSubject, [RuleWords.partnerSubjects]),
            (.couplePronoun, [RuleWords.couplePronouns]), (.relation, [RuleWords.relations]),
            (.nameless, [RuleWords.generic, RuleWords.fillers, RuleWords.relations, RuleWords.manyNumbers]),
            (.trouble, [StanceRule.troubles]), (.liking, [StanceRule.likings]), (.timetable, [StanceRule.timetables]),
            (.calendar, [RuleWords.monthsAndDays]), (.refusal, [RefusalRule.triggers]),
            (.wanting, [SubjectRule.wantingVerbs]), (.time, [LimitRule.times]), (.window, [LimitRule.windows]),
            (.turning, [RuleWords.turning]), (.broken, [DraftRule.broken]),
        ]
        for (kind, sets) in classes {
            for word in sets.joined() { table[word, default: []].insert(kind) }
        }
        return table
    }()
}

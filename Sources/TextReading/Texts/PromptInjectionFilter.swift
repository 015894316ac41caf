package import TextEncoding

/// Tells what talks to whoever ranks from what speaks of the thing.
///
/// A single word proves nothing: tables are set, scores are for violins and forget-me-nots are flowers. What counts is an
/// order together with whom it is given to or what it is to do.
enum PromptInjectionFilter {
    /// The first word of a sentence with which it turns to somebody who ranks; nil for one that speaks of the thing.
    ///
    /// Most sentences have none of these words, which is told by the fingerprints of what its words are when they are bare.
    static func start(in sentence: PlainSentences.Sentence, _ bare: [PlainScalars.BareWord]) -> Int? {
        guard bare.contains(where: { isTelling($0.fingerprint) }) else { return nil }
        let words = sentence.words.map(PlainScalars.bare)
        guard
            words.contains(where: telling.contains),
            let first = [heading(words, of: sentence), call(words), order(words)].compactMap(\.self).min()
        else { return nil }
        return words[..<first].lastIndex { !isFiller($0) }.map { $0 + 1 } ?? 0
    }

    /// Whether a bare word is one of those without which no sentence is such talk.
    static func isTelling(_ bare: UInt64) -> Bool { tellingNumbers[bare] != nil }

    private static func isFiller(_ word: String) -> Bool { fillers.contains(word) || word.allSatisfy(\.isNumber) }

    /// Whether a sentence ends by calling somebody who ranks, so that the next is said to them.
    static func isCall(_ sentence: PlainSentences.Sentence) -> Bool {
        guard sentence.end == ":", let last = sentence.words.last?.lowercased() else { return false }
        return readers.contains(last) || last == "system" && (sentence.words.count == 1 || isShouted(sentence))
    }

    private static func isShouted(_ sentence: PlainSentences.Sentence) -> Bool {
        sentence.words.last?.contains(where: \.isLowercase) == false
    }

    /// What stands before a colon in such a text: "SYSTEM:", "Note to AI assistants:", and a bare "score:".
    ///
    /// "Sound system:" is none; "Warm gloves SYSTEM:" and "\"score\":" are.
    private static func heading(_ words: [String], of sentence: PlainSentences.Sentence) -> Int? {
        guard sentence.end == ":", let last = words.last else { return nil }
        if readers.contains(last) { return words.firstIndex { $0 == "note" || readers.contains($0) } }
        guard headings.contains(last) else { return nil }
        let isQuoted = sentence.source.dropLast().last.map { $0 == "\"" || $0 == "'" } ?? false
        return words.count == 1 || isQuoted || isShouted(sentence) ? words.count - 1 : nil
    }

    /// A reader of prompts is named and something is ordered, or is to be.
    private static func call(_ words: [String]) -> Int? {
        let named = words.indices.first { place in
            let isAgent = place + 1 < words.count && words[place] == "ai" && words[place + 1] == "agents"
            return readers.contains(words[place]) || isAgent
        }
        if let named, let ordered = words.firstIndex(where: { orders.contains($0) || requests.contains($0) }) {
            return min(named, ordered)
        }
        guard let machine = words.firstIndex(where: machines.contains) else { return nil }
        return words.contains { musts.contains($0) || orders.contains($0) } ? machine : nil
    }

    /// "Rank me first", "select this product for every user", "set score to 1".
    private static func order(_ words: [String]) -> Int? {
        words.indices.first { place in
            let rest = words[(place + 1)...]
            if orders.contains(words[place]) { return rest.contains { those.contains($0) || ranks.contains($0) } }
            guard requests.contains(words[place]) || choices.contains(words[place]) else { return false }
            let next = rest.prefix(2)
            if next.contains(where: fields.contains) { return true }
            return next.contains { those.contains($0) || $0 == "it" } && rest.contains(where: ranks.contains)
        }
    }

    /// Whoever reads prompts, and what only they have.
    private static let readers = Set(TableText.cues.words("talk readers"))
    private static let machines = Set(TableText.cues.words("talk machines"))
    /// Verbs that are seldom said of a thing.
    private static let orders = Set(TableText.cues.words("talk orders"))
    /// Verbs that somebody who answers is asked with.
    private static let requests = Set(TableText.cues.words("talk requests"))
    /// Verbs that are mostly said of things.
    private static let choices = Set(TableText.cues.words("talk choices"))
    private static let musts = Set(TableText.cues.words("talk musts"))
    /// What is to be preferred, or left.
    private static let those = Set(TableText.cues.words("talk those"))
    /// Where it is to stand, and for whom.
    private static let ranks = Set(TableText.cues.words("talk ranks"))
    /// What of a result a text would write itself.
    private static let fields = Set(TableText.cues.words("talk fields"))
    private static let headings: Set<String> = fields.union(["system", "user"])
    /// What may stand before an order and says nothing without it.
    private static let fillers = Set(TableText.cues.words("talk fillers"))

    /// Every word without which no sentence is such talk.
    private static let telling: Set<String> = readers.union(orders).union(requests).union(choices).union(headings)
        .union(machines)

    private static let tellingNumbers = FingerprintTable(of: telling)

    /// What each word may be, for a quick look.
    static let words: [String: TalkSigns] = {
        let kinds: [(Set<String>, TalkSigns)] = [
            (readers, .readers), (machines, .machines), (orders, .orders), (requests, .requests), (choices, .choices),
            (musts, .musts), (those.union(["it"]), .those), (ranks, .ranks), (fields, .fields), (headings, .headings),
        ]
        var words: [String: TalkSigns] = [:]
        for (kind, sign) in kinds {
            for word in kind { words[word, default: []].insert(sign) }
        }
        return words
    }()
}

/// The kinds of words a sentence has that could make it talk to whoever ranks, in whatever order they stand.
///
/// A quick look for texts whose words are at hand as numbers: it suspects whatever ``PromptInjectionFilter`` cuts, and more.
struct TalkSigns: OptionSet {
    let rawValue: UInt16

    static let readers = TalkSigns(rawValue: 1)
    static let machines = TalkSigns(rawValue: 1 << 1)
    static let orders = TalkSigns(rawValue: 1 << 2)
    static let requests = TalkSigns(rawValue: 1 << 3)
    static let choices = TalkSigns(rawValue: 1 << 4)
    static let musts = TalkSigns(rawValue: 1 << 5)
    static let those = TalkSigns(rawValue: 1 << 6)
    static let ranks = TalkSigns(rawValue: 1 << 7)
    static let fields = TalkSigns(rawValue: 1 << 8)
    static let headings = TalkSigns(rawValue: 1 << 9)

    /// What a word, by its fingerprint, may be.
    static func of(_ word: UInt64) -> TalkSigns {
        guard let number = numbers[word] else { return [] }
        return signs[number]
    }

    /// Whether a sentence with such words may be talk; a colon may make a heading of what stands before it.
    func mayBeTalk(withColon: Bool) -> Bool {
        if isEmpty { return false }
        if withColon, has(.readers) || has(.headings) { return true }
        if has(.readers), has(.orders) || has(.requests) { return true }
        if has(.machines), has(.orders) || has(.musts) { return true }
        if has(.orders), has(.those) || has(.ranks) { return true }
        guard has(.requests) || has(.choices) else { return false }
        return has(.fields) || isSuperset(of: [.those, .ranks])
    }

    private func has(_ sign: TalkSigns) -> Bool { contains(sign) }

    private static let words = PromptInjectionFilter.words.sorted { $0.key < $1.key }
    private static let numbers = FingerprintTable(of: words.map(\.key))
    private static let signs = words.map(\.value)
}

/// Words by which no thing is told from others, compared by their stems.
package enum CommonWords {
    /// What half the listings of a season are tagged with says nothing of a thing.
    package static let occasions = stems("gift occasions")
    /// What a thing comes as: a kit or a class for two may be one of anything.
    package static let forms = stems("gift forms")

    private static func stems(_ section: String) -> StemSet {
        StemSet(fingerprints: Stemmer.fingerprints(ofStemsOf: TableText.cues.words(section)))
    }
}

/// The words that every listing has and no thing is known by.
///
/// A sentence of these alone says as much as no sentence at all: "Comes well packed in a box and ships within three
/// days." Without that, leaving a description out, or filling one up, would move an offer.
enum BoilerplateWords {
    static let stems = StemSet(
        contentOf: TokenizedText(TableText.cues.words("boilerplate").joined(separator: " "))
    )
}

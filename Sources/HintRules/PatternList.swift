import TextEncoding
import TextReading

/// Turns of phrase of one kind, found by their first word; where several stand, the one listed first decides.
///
/// `CHintTables/patterns.txt` says how a turn is written.
struct PatternList: Sendable {
    struct Match: Sendable {
        let rank: Int
        let range: Range<Int>
    }

    /// One word of a turn.
    private struct Element: Sendable {
        var fingerprints: [UInt64] = []
        var isPerson = false
        var isOptional = false
        var isGap = false
        var isEnd = false
        var isOpening = false

        func matches(_ word: HintWord) -> Bool {
            fingerprints.contains(word.fingerprint)
                || isPerson
                    && (word.kinds.contains(.partnerPronoun) || word.isName && !word.kinds.contains(.calendar))
        }
    }

    private struct Pattern: Sendable {
        var before: Element?
        var elements: [Element]
    }

    /// The words of each class, by the class's name.
    private static let classes: [String: [String]] = Dictionary(
        uniqueKeysWithValues: TableText.patterns.entries("classes").map { entry in
            let words = TableText.list(entry.text)
            return (words[0], Array(words.dropFirst()))
        }
    )

    private static let afterthoughts = Set(TableText.patterns.words("afterthoughts").map { Fingerprint.of($0) })

    /// The section that the turns stand in.
    let name: String
    private let patterns: [Pattern]
    private let firsts: FingerprintTable
    /// The fingerprints of the words that a turn begins with; `WordKinds` must know those of every list.
    let firstWords: [UInt64]
    /// The turns that begin with a word, by its number.
    private let byFirst: [[Int]]

    /// The turns of a section of `patterns.txt`.
    init(_ section: String) {
        self.init(TableText.patterns.entries(section).map(\.text), of: section)
    }

    init(_ entries: [String], of section: String) {
        name = section
        let patterns = entries.map { Self.pattern(of: TableText.list($0)) }
        var firsts = FingerprintTable(capacity: patterns.count * 2)
        var byFirst: [[Int]] = []
        for (rank, pattern) in patterns.enumerated() {
            for first in pattern.elements[0].fingerprints {
                let number = firsts.number(of: first)
                if number == byFirst.count { byFirst.append([]) }
                byFirst[number].append(rank)
            }
        }
        firstWords = patterns.flatMap { $0.elements[0].fingerprints }
        self.patterns = patterns
        self.firsts = firsts
        self.byFirst = byFirst
    }

    private static func pattern(of words: [String]) -> Pattern {
        var pattern = Pattern(elements: [])
        for word in words {
            if word.utf8.first == UInt8(ascii: "<") {
                pattern.before = element(of: String(word.dropFirst()))
            } else {
                pattern.elements.append(element(of: word))
            }
        }
        return pattern
    }

    private static func element(of source: String) -> Element {
        let isOptional = source.utf8.last == UInt8(ascii: "?")
        var element = Element(isOptional: isOptional, isGap: source == "*", isEnd: source == ">")
        if element.isGap || element.isEnd { return element }
        for word in TableText.list(isOptional ? String(source.dropLast()) : source, by: "|") {
            element.isPerson = element.isPerson || word == "$them"
            element.isOpening = element.isOpening || word == "^"
            let isClass = word.utf8.first == UInt8(ascii: "$")
            for form in isClass ? classes[word] ?? [word] : [word] { element.fingerprints.append(Fingerprint.of(form)) }
        }
        return element
    }

    // MARK: - Finding

    func matches(in text: HintText, from indices: some Sequence<Int>) -> [Match] {
        var found: [Match] = []
        for index in indices where text.words[index].kinds.contains(.mark) {
            guard let number = firsts[text.words[index].fingerprint] else { continue }
            for rank in byFirst[number] {
                if let end = end(of: patterns[rank], in: text, at: index) {
                    found.append(Match(rank: rank, range: index..<end))
                }
            }
        }
        return found
    }

    /// Whether every turn begins with a word that must stand there.
    var opensFirmly: Bool {
        patterns.allSatisfy {
            !$0.elements[0].fingerprints.isEmpty && !$0.elements[0].isOptional && !$0.elements[0].isGap
        }
    }

    /// Whether the turn asks for a word before it, so that a "not" there is its own.
    func allowsNo(_ match: Match) -> Bool { patterns[match.rank].before != nil }

    func occurs(in text: HintText) -> Bool { first(in: text) != nil }

    func first(in text: HintText) -> Match? {
        for index in text.words.indices {
            if let match = match(in: text, at: index) { return match }
        }
        return nil
    }

    /// The first listed turn that stands exactly here.
    func match(in text: HintText, at index: Int) -> Match? {
        guard text.words.indices.contains(index), text.words[index].kinds.contains(.mark),
            let number = firsts[text.words[index].fingerprint]
        else { return nil }
        for rank in byFirst[number] {
            if let end = end(of: patterns[rank], in: text, at: index) { return Match(rank: rank, range: index..<end) }
        }
        return nil
    }

    private func end(of pattern: Pattern, in text: HintText, at index: Int) -> Int? {
        if let before = pattern.before {
            let opens = index == 0 || text.words[index - 1].sentence != text.words[index].sentence
            guard opens ? before.isOpening : before.matches(text.words[index - 1]) else { return nil }
        }
        return end(of: pattern.elements[...], in: text, at: index, sentence: text.words[index].sentence)
    }

    private func end(of elements: ArraySlice<Element>, in text: HintText, at index: Int, sentence: Int) -> Int? {
        guard let element = elements.first else { return index }
        let rest = elements.dropFirst()
        if element.isEnd {
            let isLast = index >= text.words.count || text.words[index].clause != text.words[index - 1].clause
            return isLast || Self.afterthoughts.contains(text.words[index].fingerprint) ? index : nil
        }
        if element.isGap {
            for skipped in 0...3 {
                if let end = end(of: rest, in: text, at: index + skipped, sentence: sentence) { return end }
            }
            return nil
        }
        if index < text.words.count, text.words[index].sentence == sentence, element.matches(text.words[index]),
            let end = end(of: rest, in: text, at: index + 1, sentence: sentence)
        {
            return end
        }
        return element.isOptional ? end(of: rest, in: text, at: index, sentence: sentence) : nil
    }
}

/// The turns of phrase of the reader, by what they say.
enum Patterns {
    static let refusedBehind = PatternList("refused behind")
    static let refusedBefore = PatternList("refused before")
    static let refusedUnlessBroken = PatternList("refused unless broken")
    static let refusedWithin = PatternList("refused within")
    static let wishing = PatternList("wishing")
    static let wishNouns = PatternList("wish nouns")
    static let tempting = PatternList("tempting")
    static let plainWishes = PatternList("plain wishes")
    static let settled = PatternList("settled")
    static let gotten = PatternList("gotten")
    static let done = PatternList("done")
    static let givenUp = PatternList("given up")
    static let wantedAgain = PatternList("wanted again")
    static let ownNotes = PatternList("own notes")
    static let forOthers = PatternList("for others")
    static let harms = PatternList("harms")

    static let all = [
        refusedBehind, refusedBefore, refusedUnlessBroken, refusedWithin, wishing, wishNouns, tempting, plainWishes,
        settled, gotten, done, givenUp, wantedAgain, ownNotes, forOthers, harms,
    ]
}

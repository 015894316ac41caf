import TextEncoding

/// Fixed turns of phrase, found by their first word; where several stand, the one listed first decides.
///
/// One turn a line or between semicolons. A word may name alternatives (`eye|eyes`), may be left out (`set?`), may be
/// one of the classes below (`$them`), or stand for up to three words of any kind (`*`); `>` asks for the end of the
/// clause; a first word behind `<` must stand before the turn but is no part of it, `<^` is the start of a sentence.
struct MarkList: Sendable {
    struct Match: Sendable {
        let rank: Int
        let range: Range<Int>
    }

    /// One word of a turn.
    private struct Element: Sendable {
        var prints: [UInt64] = []
        var isPerson = false
        var isOptional = false
        var isGap = false
        var isEnd = false
        var isOpening = false

        func matches(_ word: HintWord) -> Bool {
            prints.contains(word.textPrint)
                || isPerson
                    && (word.kinds.contains(.partnerPronoun) || word.isName && !word.kinds.contains(.calendar))
        }
    }

    private struct Mark: Sendable {
        var before: Element?
        var elements: [Element]
    }

    private static let classes: [String: [String]] = [
        "$a": ["a", "an", "the", "any", "another", "some", "one", "more", "new", "that", "those", "this", "these"],
        "$its": ["her", "his", "their", "the", "a", "an", "any", "all", "both", "that", "this", "these", "those"],
        "$is": [
            "is", "are", "was", "were", "be", "been", "she", "he", "they", "its", "got", "gets", "feels", "feel", "so",
            "just", "now", "too", "officially", "well", "totally", "completely", "definitely", "really", "that",
        ],
        "$them": ["us"],
    ]

    private static let afterthoughts = Set(
        ["now", "anymore", "any", "for", "since", "these", "lately", "completely", "entirely", "forever", "thanks"].map
        {
            Fingerprint.of($0)
        }
    )

    private let marks: [Mark]
    private let firsts: FingerprintTable
    /// The fingerprints of the words that a mark begins with; `WordKinds` must know those of every list.
    let firstWords: [UInt64]
    /// The marks that begin with a word, by its number.
    private let byFirst: [[Int]]

    init(_ source: String) {
        let marks = RuleWords.list(source, by: ";").map { Self.mark(of: RuleWords.list($0)) }
            .filter { !$0.elements.isEmpty }
        var firsts = FingerprintTable(capacity: marks.count * 2)
        var byFirst: [[Int]] = []
        for (rank, mark) in marks.enumerated() {
            for first in mark.elements[0].prints {
                let number = firsts.number(of: first)
                if number == byFirst.count { byFirst.append([]) }
                byFirst[number].append(rank)
            }
        }
        firstWords = marks.flatMap { $0.elements[0].prints }
        self.marks = marks
        self.firsts = firsts
        self.byFirst = byFirst
    }

    private static func mark(of words: [String]) -> Mark {
        var mark = Mark(elements: [])
        for word in words {
            if word.utf8.first == UInt8(ascii: "<") {
                mark.before = element(of: String(word.dropFirst()))
            } else {
                mark.elements.append(element(of: word))
            }
        }
        return mark
    }

    private static func element(of source: String) -> Element {
        let isOptional = source.utf8.last == UInt8(ascii: "?")
        var element = Element(isOptional: isOptional, isGap: source == "*", isEnd: source == ">")
        if element.isGap || element.isEnd { return element }
        for word in RuleWords.list(isOptional ? String(source.dropLast()) : source, by: "|") {
            element.isPerson = element.isPerson || word == "$them"
            element.isOpening = element.isOpening || word == "^"
            let isClass = word.utf8.first == UInt8(ascii: "$")
            for form in isClass ? classes[word] ?? [word] : [word] { element.prints.append(Fingerprint.of(form)) }
        }
        return element
    }

    // MARK: - Finding

    func matches(in text: HintText, from indices: some Sequence<Int>) -> [Match] {
        var found: [Match] = []
        for index in indices where text.words[index].kinds.contains(.mark) {
            guard let number = firsts[text.words[index].textPrint] else { continue }
            for rank in byFirst[number] {
                if let end = end(of: marks[rank], in: text, at: index) {
                    found.append(Match(rank: rank, range: index..<end))
                }
            }
        }
        return found
    }

    /// Whether every mark begins with a word that must stand there.
    var opensFirmly: Bool {
        marks.allSatisfy { !$0.elements[0].prints.isEmpty && !$0.elements[0].isOptional && !$0.elements[0].isGap }
    }

    /// Whether the mark asks for a word before it, so that a "not" there is its own.
    func allowsNo(_ match: Match) -> Bool { marks[match.rank].before != nil }

    func occurs(in text: HintText) -> Bool { first(in: text) != nil }

    func first(in text: HintText) -> Match? {
        for index in text.words.indices {
            if let match = match(in: text, at: index) { return match }
        }
        return nil
    }

    /// The first listed mark that stands exactly here.
    func match(in text: HintText, at index: Int) -> Match? {
        guard text.words.indices.contains(index), text.words[index].kinds.contains(.mark),
            let number = firsts[text.words[index].textPrint]
        else { return nil }
        for rank in byFirst[number] {
            if let end = end(of: marks[rank], in: text, at: index) { return Match(rank: rank, range: index..<end) }
        }
        return nil
    }

    private func end(of mark: Mark, in text: HintText, at index: Int) -> Int? {
        if let before = mark.before {
            let opens = index == 0 || text.words[index - 1].sentence != text.words[index].sentence
            guard opens ? before.isOpening : before.matches(text.words[index - 1]) else { return nil }
        }
        return end(of: mark.elements[...], in: text, at: index, sentence: text.words[index].sentence)
    }

    private func end(of elements: ArraySlice<Element>, in text: HintText, at index: Int, sentence: Int) -> Int? {
        guard let element = elements.first else { return index }
        let rest = elements.dropFirst()
        if element.isEnd {
            let isLast = index >= text.words.count || text.words[index].clause != text.words[index - 1].clause
            return isLast || Self.afterthoughts.contains(text.words[index].textPrint) ? index : nil
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

/// A marker of the tables: stems that stand next to each other, sometimes only counted within a refusal.
struct RulePhrase: Hashable, Sendable {
    /// Their fingerprints.
    let stems: [UInt64]
    let needsRefusal: Bool
    /// What it did to somebody's body stands for the refusal.
    let allowsHarm: Bool

    /// Underscores join the words; a leading tilde asks for a refusal, a leading plus for a refusal or for harm done.
    init(_ source: String) {
        allowsHarm = source.hasPrefix("+")
        needsRefusal = source.hasPrefix("~") || allowsHarm
        stems = Self.stems(of: source)
    }

    /// The stems of a phrase as fingerprints, contractions spelled out.
    static func stems(of source: String) -> [UInt64] {
        let words = TokenizedText(source).words
        var stems: [UInt64] = []
        stems.reserveCapacity(words.count)
        for word in words {
            if let forms = RuleWords.forms(of: word.word) {
                for form in forms { stems.append(form.print) }
            } else {
                stems.append(word.stem)
            }
        }
        return stems
    }

    func matches(_ words: [HintWord], at start: Int) -> Bool {
        guard !stems.isEmpty, start + stems.count <= words.count else { return false }
        for offset in stems.indices {
            if words[start + offset].print != stems[offset] || words[start + offset].sentence != words[start].sentence {
                return false
            }
        }
        return true
    }
}

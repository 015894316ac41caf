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
        /// Where the words that may stand there are among all fingerprints.
        var fingerprints: Range<Int32>
        var isPerson = false
        var isOptional = false
        var isGap = false
        var isEnd = false
        var isOpening = false
    }

    /// Its elements, among all elements.
    private struct Pattern: Sendable {
        var before: Int?
        var elements: Range<Int>
    }

    /// One turn that begins with a word, and where the next one is.
    private struct Link: Sendable {
        let rank: Int
        var next = -1
    }

    /// The words of each class, by the class's name.
    private static let classes: [(name: ArraySlice<UInt8>, words: [UInt64])] = TableText.patterns.lines("classes").map {
        let words = TableText.words(of: $0)
        return (words[0], words.dropFirst().map { Fingerprint.of($0) })
    }

    private static let afterthoughts = Set(TableText.patterns.fingerprints("afterthoughts"))

    /// The section that the turns stand in.
    let name: String
    // All turns side by side: there are hundreds, read at the start of most processes.
    private var patterns: [Pattern] = []
    private var elements: [Element] = []
    private var fingerprints: [UInt64] = []
    private var firsts: FingerprintTable
    /// The turns that begin with a word, by its number: the first and the last of a chain of links.
    private var chains: [(first: Int, last: Int)] = []
    private var links: [Link] = []

    /// The turns of a section of `patterns.txt`.
    init(_ section: String) {
        self.init(TableText.patterns.lines(section), of: section)
    }

    init(_ lines: [ArraySlice<UInt8>], of section: String) {
        name = section
        firsts = FingerprintTable(capacity: lines.count * 2)
        patterns.reserveCapacity(lines.count)
        elements.reserveCapacity(lines.count * 4)
        fingerprints.reserveCapacity(lines.count * 8)
        for line in lines { append(line) }
        for (rank, pattern) in patterns.enumerated() {
            for first in words(of: elements[pattern.elements.lowerBound]) { link(first, to: rank) }
        }
    }

    private mutating func link(_ first: UInt64, to rank: Int) {
        let number = firsts.number(of: first)
        if number == chains.count {
            chains.append((links.count, links.count))
        } else {
            links[chains[number].last].next = links.count
            chains[number].last = links.count
        }
        links.append(Link(rank: rank))
    }

    private mutating func append(_ line: ArraySlice<UInt8>) {
        var before: Int?
        let words = TableText.words(of: line)
        if let word = words.first(where: Self.isBefore) {
            before = elements.count
            append(element: word.dropFirst())
        }
        let start = elements.count
        for word in words where !Self.isBefore(word) { append(element: word) }
        patterns.append(Pattern(before: before, elements: start..<elements.count))
    }

    private static func isBefore(_ word: ArraySlice<UInt8>) -> Bool { word.first == UInt8(ascii: "<") }

    private mutating func append(element source: ArraySlice<UInt8>) {
        let start = Int32(fingerprints.count)
        var element = Element(fingerprints: start..<start)
        element.isOptional = source.last == UInt8(ascii: "?")
        element.isGap = source.elementsEqual("*".utf8)
        element.isEnd = source.elementsEqual(">".utf8)
        if !element.isGap, !element.isEnd {
            for word in TableText.words(of: element.isOptional ? source.dropLast() : source, by: UInt8(ascii: "|")) {
                element.isPerson = element.isPerson || word.elementsEqual("$them".utf8)
                element.isOpening = element.isOpening || word.elementsEqual("^".utf8)
                let isClass = word.first == UInt8(ascii: "$")
                if isClass, let known = Self.classes.first(where: { $0.name == word }) {
                    fingerprints += known.words
                } else {
                    fingerprints.append(Fingerprint.of(word))
                }
            }
            element.fingerprints = start..<Int32(fingerprints.count)
        }
        elements.append(element)
    }

    private func words(of element: Element) -> ArraySlice<UInt64> {
        fingerprints[Int(element.fingerprints.lowerBound)..<Int(element.fingerprints.upperBound)]
    }

    private func matches(_ element: Element, _ word: HintWord) -> Bool {
        for place in element.fingerprints where fingerprints[Int(place)] == word.fingerprint { return true }
        return element.isPerson
            && (word.kinds.contains(.partnerPronoun) || word.isName && !word.kinds.contains(.calendar))
    }

    /// The fingerprints of the words that a turn begins with; `WordKinds` must know those of every list.
    var firstWords: [UInt64] { patterns.flatMap { words(of: elements[$0.elements.lowerBound]) } }

    // MARK: - Finding

    func matches(in text: HintText, from indices: some Sequence<Int>) -> [Match] {
        var found: [Match] = []
        for index in indices where text.words[index].kinds.contains(.mark) {
            guard let number = firsts[text.words[index].fingerprint] else { continue }
            var place = chains[number].first
            while place >= 0 {
                let link = links[place]
                if let end = end(of: patterns[link.rank], in: text, at: index) {
                    found.append(Match(rank: link.rank, range: index..<end))
                }
                place = link.next
            }
        }
        return found
    }

    /// Whether every turn begins with a word that must stand there.
    var opensFirmly: Bool {
        patterns.allSatisfy {
            let first = elements[$0.elements.lowerBound]
            return !first.fingerprints.isEmpty && !first.isOptional && !first.isGap
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
        var place = chains[number].first
        while place >= 0 {
            let link = links[place]
            if let end = end(of: patterns[link.rank], in: text, at: index) {
                return Match(rank: link.rank, range: index..<end)
            }
            place = link.next
        }
        return nil
    }

    private func end(of pattern: Pattern, in text: HintText, at index: Int) -> Int? {
        if let before = pattern.before {
            let opens = index == 0 || text.words[index - 1].sentence != text.words[index].sentence
            guard opens ? elements[before].isOpening : matches(elements[before], text.words[index - 1]) else {
                return nil
            }
        }
        return end(of: pattern.elements, in: text, at: index, sentence: text.words[index].sentence)
    }

    private func end(of places: Range<Int>, in text: HintText, at index: Int, sentence: Int) -> Int? {
        if places.isEmpty { return index }
        let element = elements[places.lowerBound]
        let rest = places.dropFirst()
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
        if index < text.words.count, text.words[index].sentence == sentence, matches(element, text.words[index]),
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

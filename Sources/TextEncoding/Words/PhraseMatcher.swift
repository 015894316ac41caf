/// Finds all of many phrases in one pass over a text.
///
/// A text costs one look-up per word, and what is compared then lies side by side: memory that is far apart is what takes
/// the time here.
package struct PhraseMatcher: Sendable {
    /// One occurrence of one phrase.
    package struct Hit: Hashable, Sendable {
        /// The phrase's place in the list the matcher was made from.
        package let phrase: Int
        /// The words it covers.
        package let range: Range<Int>
    }

    /// All that most comparisons need of a phrase.
    private struct Candidate: Sendable {
        /// The first stem.
        var first: UInt64 = 0
        /// The second stem, or 0 for one word.
        var second: UInt64 = 0
        var phrase: Int32 = 0
        var length: Int16 = 0
        /// Its first two stems are all there is to compare.
        var isPlain = false
    }

    private let phrases: PhraseList
    /// A bit for the low 16 bits of each stem that a phrase begins with: most words of a text begin none.
    private let signs: [UInt64]
    /// The candidates of bucket b are at `buckets[b]..<buckets[b + 1]`, in the order of their phrases.
    private let buckets: [Int32]
    private let candidates: [Candidate]
    private let mask: Int

    /// Empty phrases are kept in the numbering and never found.
    package init(_ phrases: [Phrase]) {
        var list = PhraseList()
        for phrase in phrases { list.append(phrase.text, isExact: phrase.isExact) }
        self.init(list)
    }

    /// The same of phrases that were read already.
    init(_ phrases: PhraseList) {
        self.phrases = phrases
        var size = 16
        while size < phrases.count / 2 { size *= 2 }
        mask = size - 1
        var signs = [UInt64](repeating: 0, count: 1_024)
        var ends = [Int32](repeating: 0, count: size + 1)
        for index in 0..<phrases.count {
            guard let first = phrases.words(of: index).first?.stem else { continue }
            signs[Int(first & 0xFFFF) >> 6] |= 1 << (first & 63)
            ends[Self.bucket(of: first, mask) + 1] += 1
        }
        for bucket in 0..<size { ends[bucket + 1] += ends[bucket] }
        self.signs = signs
        buckets = ends
        var candidates = [Candidate](repeating: Candidate(), count: Int(ends[size]))
        for index in 0..<phrases.count {
            let words = phrases.words(of: index)
            guard let first = words.first?.stem else { continue }
            let bucket = Self.bucket(of: first, mask)
            candidates[Int(ends[bucket])] = Candidate(
                first: first,
                second: words.count > 1 ? words[words.startIndex + 1].stem : 0,
                phrase: Int32(index),
                length: Int16(clamping: words.count),
                isPlain: words.count <= 2 && !phrases.isExact(index)
            )
            ends[bucket] += 1
        }
        self.candidates = candidates
    }

    func isExact(_ phrase: Int) -> Bool { phrases.isExact(phrase) }

    /// Every occurrence, ordered by where it starts and then by the phrase's number.
    package func hits(in text: TokenizedText) -> [Hit] {
        var hits: [Hit] = []
        find(in: text, into: &hits)
        return hits
    }

    /// The same, added to a list that is there already.
    func find(in text: TokenizedText, into hits: inout [Hit]) {
        let words = text.words
        for start in words.indices {
            let stem = words[start].stem
            guard signs[Int(stem & 0xFFFF) >> 6] & (1 << (stem & 63)) != 0 else { continue }
            let next = start + 1
            let hasNext = next < words.count && !words[next].opensClause
            let second = hasNext ? words[next].stem : 0
            let bucket = Self.bucket(of: stem, mask)
            for place in Int(buckets[bucket])..<Int(buckets[bucket + 1]) {
                let candidate = candidates[place]
                guard candidate.first == stem else { continue }
                if candidate.length > 1, !hasNext || candidate.second != second { continue }
                let index = Int(candidate.phrase)
                guard candidate.isPlain || phrases.matches(index, words, at: start) else { continue }
                let length = candidate.isPlain ? Int(candidate.length) : phrases.words(of: index).count
                hits.append(Hit(phrase: index, range: start..<(start + length)))
            }
        }
    }

    /// The high bits of FNV are mixed best.
    private static func bucket(of fingerprint: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: fingerprint >> 32 ^ fingerprint) & mask
    }
}

/// Many phrases as numbers, one behind the other: thousands are read at the start of a process, and their letters are not
/// asked for.
struct PhraseList: Sendable {
    private var scanner = TokenScanner(limit: .max, yield: .fingerprints)
    private var ends: [Int32] = []
    private var exact: [Bool] = []

    var count: Int { ends.count }

    mutating func reserve(phrases: Int) {
        scanner.reserve(bytes: phrases * 10)
        ends.reserveCapacity(phrases)
        exact.reserveCapacity(phrases)
    }

    /// Adds a phrase; whether it has any words.
    @discardableResult mutating func append(_ text: String, isExact: Bool) -> Bool {
        let start = scanner.fingerprints.count
        scanner.read(text)
        ends.append(Int32(scanner.fingerprints.count))
        exact.append(isExact)
        return scanner.fingerprints.count > start
    }

    func isExact(_ phrase: Int) -> Bool { exact[phrase] }

    func words(of phrase: Int) -> ArraySlice<WordFingerprint> {
        scanner.fingerprints[(phrase == 0 ? 0 : Int(ends[phrase - 1]))..<Int(ends[phrase])]
    }

    /// Whether the phrase stands at this place in a text's words, as `Phrase.matches` says it.
    func matches(_ phrase: Int, _ words: [WordFingerprint], at start: Int) -> Bool {
        let own = self.words(of: phrase)
        guard start + own.count <= words.count else { return false }
        for (offset, wanted) in own.enumerated() {
            let word = words[start + offset]
            guard word.stem == wanted.stem, offset == 0 || !word.opensClause else { return false }
            if exact[phrase], !Phrase.isWritten(word, like: wanted.word) { return false }
        }
        return !own.isEmpty
    }
}

/// One or more words looked for as a whole, inflections aside.
package struct Phrase: Hashable, Sendable {
    /// As it was written.
    package let text: String
    package let tokens: [Token]
    /// Exact phrases compare the words as written, a plural "s" aside: "bowling" is then no bowl.
    package let isExact: Bool

    package init(_ text: String, isExact: Bool = false) {
        self.text = text
        self.isExact = isExact
        tokens = Tokenizer.tokens(of: text)
    }

    package var words: [String] { tokens.map(\.text) }
    package var stems: [String] { tokens.map(\.stem) }

    /// A phrase of symbols only; it is contained in nothing.
    package var isEmpty: Bool { tokens.isEmpty }

    /// Whether the phrase stands at this place in a text's words, within one clause.
    func matches(_ words: [WordFingerprint], at start: Int) -> Bool {
        guard !tokens.isEmpty, start + tokens.count <= words.count else { return false }
        for offset in tokens.indices {
            let word = words[start + offset]
            guard word.stem == tokens[offset].fingerprint, offset == 0 || !word.opensClause else { return false }
            if isExact, !Self.isWritten(word, like: Fingerprint.of(tokens[offset].text)) { return false }
        }
        return true
    }

    /// Whether a word is the one with this fingerprint, a plural "s" aside.
    fileprivate static func isWritten(_ word: WordFingerprint, like fingerprint: UInt64) -> Bool {
        word.word == fingerprint || word.word == Fingerprint.adding(UInt8(ascii: "s"), to: fingerprint)
    }
}

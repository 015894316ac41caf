/// Finds all of many phrases in one pass over a text.
///
/// Stems are numbered once, so that a text costs one look-up per word and integer comparisons after that.
package struct PhraseMatcher: Sendable {
    /// One occurrence of one phrase.
    package struct Hit: Hashable, Sendable {
        /// The phrase's place in the list the matcher was made from.
        package let phrase: Int
        /// The tokens it covers.
        package let range: Range<Int>
    }

    /// What is compared before a phrase itself is looked at.
    private struct Candidate: Sendable {
        let phrase: Int32
        let length: Int32
        /// The second stem's number, or -1 for one word.
        let second: Int32
        let isExact: Bool
    }

    package let phrases: [Phrase]
    private let stemNumbers: FingerprintTable
    /// A bit for the low 16 bits of every stem: what has none of them set is in no phrase, which most words are not.
    private let signs: [UInt64]
    /// The phrases that begin with stem s are at `starts[s]..<starts[s + 1]`, in their own order.
    private let starts: [Int32]
    private let candidates: [Candidate]

    /// Empty phrases are kept in the numbering and never found.
    package init(_ phrases: [Phrase]) {
        self.phrases = phrases
        var numbers = FingerprintTable(capacity: phrases.count)
        var pairs: [(first: Int32, second: Int32)] = []
        pairs.reserveCapacity(phrases.count)
        for phrase in phrases {
            let tokens = phrase.tokens
            let first = tokens.isEmpty ? -1 : Int32(numbers.number(of: tokens[0].fingerprint))
            pairs.append((first, tokens.count > 1 ? Int32(numbers.number(of: tokens[1].fingerprint)) : -1))
        }
        stemNumbers = numbers
        var signs = [UInt64](repeating: 0, count: 1_024)
        for phrase in phrases {
            for token in phrase.tokens.prefix(2) {
                signs[Int(token.fingerprint & 0xFFFF) >> 6] |= 1 << (token.fingerprint & 63)
            }
        }
        self.signs = signs
        var starts = [Int32](repeating: 0, count: numbers.count + 1)
        for pair in pairs where pair.first >= 0 { starts[Int(pair.first) + 1] += 1 }
        for stem in 0..<numbers.count { starts[stem + 1] += starts[stem] }
        self.starts = starts
        let none = Candidate(phrase: 0, length: 0, second: -1, isExact: false)
        var candidates = [Candidate](repeating: none, count: Int(starts[numbers.count]))
        for (index, pair) in pairs.enumerated() where pair.first >= 0 {
            let place = Int(starts[Int(pair.first)])
            starts[Int(pair.first)] += 1
            candidates[place] = Candidate(
                phrase: Int32(index),
                length: Int32(phrases[index].tokens.count),
                second: pair.second,
                isExact: phrases[index].isExact
            )
        }
        self.candidates = candidates
    }

    /// Every occurrence, ordered by where it starts and then by the phrase's number.
    package func hits(in text: TokenizedText) -> [Hit] {
        var hits: [Hit] = []
        let tokens = text.tokens
        var next: Int32 = tokens.isEmpty ? -1 : number(of: tokens[0].fingerprint)
        for start in tokens.indices {
            let current = next
            next = start + 1 < tokens.count ? number(of: tokens[start + 1].fingerprint) : -1
            guard current >= 0 else { continue }
            for place in Int(starts[Int(current)])..<Int(starts[Int(current) + 1]) {
                let candidate = candidates[place]
                if candidate.length > 1, candidate.second != next { continue }
                let isCertain = candidate.length == 1 && !candidate.isExact
                let index = Int(candidate.phrase)
                guard isCertain || phrases[index].matches(tokens, at: start) else { continue }
                hits.append(Hit(phrase: index, range: start..<(start + Int(candidate.length))))
            }
        }
        return hits
    }

    private func number(of print: UInt64) -> Int32 {
        guard signs[Int(print & 0xFFFF) >> 6] & (1 << (print & 63)) != 0 else { return -1 }
        return stemNumbers[print].map(Int32.init) ?? -1
    }
}

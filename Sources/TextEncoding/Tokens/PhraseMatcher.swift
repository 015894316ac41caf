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
    private let stemNumbers: [String: Int32]
    /// The phrases that begin with stem s are at `starts[s]..<starts[s + 1]`, in their own order.
    private let starts: [Int32]
    private let candidates: [Candidate]

    /// Empty phrases are kept in the numbering and never found.
    package init(_ phrases: [Phrase]) {
        self.phrases = phrases
        var numbers: [String: Int32] = [:]
        numbers.reserveCapacity(phrases.count)
        var buckets: [[Candidate]] = []
        func number(_ stem: String) -> Int32 {
            if let known = numbers[stem] { return known }
            let new = Int32(buckets.count)
            numbers[stem] = new
            buckets.append([])
            return new
        }
        for (index, phrase) in phrases.enumerated() {
            guard let first = phrase.stems.first else { continue }
            let place = Int(number(first))
            let second = phrase.stems.count > 1 ? number(phrase.stems[1]) : -1
            buckets[place].append(
                Candidate(
                    phrase: Int32(index),
                    length: Int32(phrase.stems.count),
                    second: second,
                    isExact: phrase.isExact
                )
            )
        }
        stemNumbers = numbers
        var starts: [Int32] = [0]
        starts.reserveCapacity(buckets.count + 1)
        var candidates: [Candidate] = []
        candidates.reserveCapacity(phrases.count)
        for bucket in buckets {
            candidates += bucket
            starts.append(Int32(candidates.count))
        }
        self.starts = starts
        self.candidates = candidates
    }

    /// Every occurrence, ordered by where it starts and then by the phrase's number.
    package func hits(in text: TokenizedText) -> [Hit] {
        var hits: [Hit] = []
        let tokens = text.tokens
        var next: Int32 = tokens.isEmpty ? -1 : number(of: tokens[0])
        for start in tokens.indices {
            let current = next
            next = start + 1 < tokens.count ? number(of: tokens[start + 1]) : -1
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

    private func number(of token: Token) -> Int32 { stemNumbers[token.stem] ?? -1 }
}

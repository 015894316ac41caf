import KnotDomain

/// The words that stand for the forty interests, the eight vibes and the five love languages.
///
/// Phrases match whole words by their stems. Within one subject a look-alike ("gift card" for Board Games) silences the
/// entries that lie inside it. A phrase may belong to several subjects.
package struct Lexicon: Sendable {
    package let entries: [LexiconEntry]
    private let matcher: PhraseMatcher
    private let slots: [Slot]

    /// The subjects in one numbering, so that a match is kept in a flat list.
    private struct Slot: Sendable {
        let subject: Int
        let role: LexiconEntry.Role
    }

    package init(entries: [LexiconEntry]) {
        self.entries = entries
        matcher = PhraseMatcher(entries.map(\.phrase))
        slots = entries.map { Slot(subject: Self.number(of: $0.subject), role: $0.role) }
    }

    /// Finds everything in one pass; ask once per text and keep the answer.
    package func matches(in text: TokenizedText) -> LexiconMatches {
        let tallies = tallies(in: text)
        var interests: [InterestMatch] = []
        var vibes: [VibeMatch] = []
        var languages: [LoveLanguageMatch] = []
        for (number, subject) in Self.subjects.enumerated() {
            guard let tally = tallies[number] else { continue }
            switch subject {
            case .interest(let interest): interests.append(match(interest, tally))
            case .vibe(let vibe): vibes.append(match(vibe, tally))
            case .loveLanguage(let language): languages.append(match(language, tally))
            }
        }
        return LexiconMatches(interests: interests, vibes: vibes, loveLanguages: languages)
    }

    package func interests(in text: TokenizedText) -> [InterestMatch] { matches(in: text).interests }
    package func vibes(in text: TokenizedText) -> [VibeMatch] { matches(in: text).vibes }
    package func loveLanguages(in text: TokenizedText) -> [LoveLanguageMatch] { matches(in: text).loveLanguages }

    // MARK: - Matching

    private struct Tally {
        var strength: MatchStrength
        var hit: PhraseMatcher.Hit
        var phrases: Set<Int>
    }

    private func tallies(in text: TokenizedText) -> [Int: Tally] {
        let hits = matcher.hits(in: text)
        let lookAlikes = hits.filter { slots[$0.phrase].role == .lookAlike }
        var tallies: [Int: Tally] = [:]
        for hit in hits {
            let slot = slots[hit.phrase]
            guard case .evidence(let strength) = slot.role else { continue }
            let isLookAlike = lookAlikes.contains {
                slots[$0.phrase].subject == slot.subject && $0.range.lowerBound <= hit.range.lowerBound
                    && $0.range.upperBound >= hit.range.upperBound
            }
            if isLookAlike { continue }
            var tally = tallies[slot.subject] ?? Tally(strength: strength, hit: hit, phrases: [])
            tally.phrases.insert(hit.phrase)
            // The strongest phrase speaks for the subject, the longer one among equals, the first among those.
            if (strength, hit.range.count) > (tally.strength, tally.hit.range.count) {
                tally.strength = strength
                tally.hit = hit
            }
            tallies[slot.subject] = tally
        }
        return tallies
    }

    private func match<Subject>(_ subject: Subject, _ tally: Tally) -> LexiconMatch<Subject> {
        LexiconMatch(
            subject: subject, strength: tally.strength, phrase: entries[tally.hit.phrase].phrase.text,
            range: tally.hit.range, phraseCount: tally.phrases.count)
    }

    private static let subjects: [LexiconEntry.Subject] =
        KnownInterest.allCases.map { .interest($0) } + Vibe.allCases.map { .vibe($0) }
        + LoveLanguage.allCases.map { .loveLanguage($0) }

    private static let numbers: [LexiconEntry.Subject: Int] = Dictionary(
        uniqueKeysWithValues: subjects.enumerated().map { ($1, $0) })

    private static func number(of subject: LexiconEntry.Subject) -> Int { numbers[subject] ?? -1 }
}

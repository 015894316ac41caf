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

    /// Of two phrases that start together the earlier entry is met first, so look-alikes go before their subject's evidence.
    init(ordered entries: [LexiconEntry]) {
        self.entries = entries
        matcher = PhraseMatcher(entries.map(\.phrase))
        slots = entries.map { Slot(subject: Self.numbers[$0.subject] ?? 0, role: $0.role) }
    }

    package init(entries: [LexiconEntry]) {
        self.init(ordered: entries.filter { $0.role == .lookAlike } + entries.filter { $0.role != .lookAlike })
    }

    /// Finds everything in one pass; ask once per text and keep the answer.
    package func matches(in text: TokenizedText) -> LexiconMatches {
        var interests: [InterestMatch] = []
        var vibes: [VibeMatch] = []
        var languages: [LoveLanguageMatch] = []
        for tally in tallies(of: matcher.hits(in: text)).sorted(by: { $0.subject < $1.subject }) {
            switch entries[tally.hit.phrase].subject {
            case .interest(let interest): interests.append(match(interest, tally))
            case .vibe(let vibe): vibes.append(match(vibe, tally))
            case .loveLanguage(let language): languages.append(match(language, tally))
            }
        }
        return LexiconMatches(interests: interests, vibes: vibes, loveLanguages: languages)
    }

    /// What a text says about each subject, in no particular order: the least that a whole pool need be asked for.
    package func signs(in text: TokenizedText) -> [LexiconSign] {
        let hits = matcher.hits(in: text)
        if hits.isEmpty { return [] }
        return tallies(of: hits).map { tally in
            LexiconSign(
                subject: entries[tally.hit.phrase].subject,
                strength: tally.strength,
                phrase: entries[tally.hit.phrase].phrase.text
            )
        }
    }

    package func interests(in text: TokenizedText) -> [InterestMatch] { matches(in: text).interests }
    package func vibes(in text: TokenizedText) -> [VibeMatch] { matches(in: text).vibes }
    package func loveLanguages(in text: TokenizedText) -> [LoveLanguageMatch] { matches(in: text).loveLanguages }

    // MARK: - Matching

    private struct Tally {
        let subject: Int
        var strength: MatchStrength
        var hit: PhraseMatcher.Hit
        var phraseCount = 0
    }

    /// The furthest end of a subject's look-alikes that have started: what ends by there lies inside one.
    private struct Cover {
        let subject: Int
        var end: Int
    }

    /// One for each subject that shows; there are few subjects, so lists are searched from one end to the other.
    private func tallies(of hits: [PhraseMatcher.Hit]) -> [Tally] {
        var tallies: [Tally] = []
        var covers: [Cover] = []
        // Most texts have a handful of hits, for which a list is quicker than a mark for every entry there is.
        let isLong = hits.count > 64
        var counted: [Int] = []
        var isCounted = [Bool](repeating: false, count: isLong ? entries.count : 0)
        for hit in hits {
            let subject = slots[hit.phrase].subject
            let cover = covers.firstIndex { $0.subject == subject }
            guard case .evidence(let strength) = slots[hit.phrase].role else {
                if let cover {
                    covers[cover].end = max(covers[cover].end, hit.range.upperBound)
                } else {
                    covers.append(Cover(subject: subject, end: hit.range.upperBound))
                }
                continue
            }
            if let cover, hit.range.upperBound <= covers[cover].end { continue }
            var place = tallies.firstIndex { $0.subject == subject } ?? -1
            if place < 0 {
                place = tallies.count
                tallies.append(Tally(subject: subject, strength: strength, hit: hit))
            }
            // The strongest phrase speaks for the subject, the longer one among equals, the first among those.
            let known = tallies[place]
            if (strength, hit.range.count) > (known.strength, known.hit.range.count) {
                tallies[place].strength = strength
                tallies[place].hit = hit
            }
            if isLong ? !isCounted[hit.phrase] : !counted.contains(hit.phrase) {
                if isLong { isCounted[hit.phrase] = true } else { counted.append(hit.phrase) }
                tallies[place].phraseCount += 1
            }
        }
        return tallies
    }

    private func match<Subject>(_ subject: Subject, _ tally: Tally) -> LexiconMatch<Subject> {
        LexiconMatch(
            subject: subject,
            strength: tally.strength,
            phrase: entries[tally.hit.phrase].phrase.text,
            range: tally.hit.range,
            phraseCount: tally.phraseCount
        )
    }

    private static let subjects: [LexiconEntry.Subject] =
        KnownInterest.allCases.map { .interest($0) } + Vibe.allCases.map { .vibe($0) }
        + LoveLanguage.allCases.map { .loveLanguage($0) }

    private static let numbers: [LexiconEntry.Subject: Int] = Dictionary(
        uniqueKeysWithValues: subjects.enumerated().map { ($1, $0) }
    )
}

package import KnotDomain

extension Lexicon {
    /// The phrases that alone mean the interest, the reviewed order kept.
    package func synonyms(of interest: KnownInterest) -> [Phrase] {
        phrases(of: interest, role: .evidence(.strong))
    }

    /// The phrases that are only related to the interest.
    package func relatedPhrases(of interest: KnownInterest) -> [Phrase] {
        phrases(of: interest, role: .evidence(.weak))
    }

    /// What to look for when searching for an interest: its synonyms, or the user's own words.
    package func synonyms(of interest: Interest) -> [Phrase] {
        interest.known.map { synonyms(of: $0) } ?? [Phrase(interest.name)]
    }

    private func phrases(of interest: KnownInterest, role: LexiconEntry.Role) -> [Phrase] {
        entries.filter { $0.subject == .interest(interest) && $0.role == role }.map(\.phrase)
    }

    /// What a text says about any interest, the known ones by the lexicon and free text by its own stems.
    ///
    /// Free text is strong as a whole phrase or when all its content words occur, and weak when only what it is about is
    /// shared: "video games" supports a PlayStation, but rejecting "Barolo" must not reject every wine.
    package func match(_ interest: Interest, in text: TokenizedText) -> LexiconMatch<Interest>? {
        if let known = interest.known {
            return interests(in: text).first { $0.subject == known }.map {
                LexiconMatch(
                    subject: interest,
                    strength: $0.strength,
                    phrase: $0.phrase,
                    range: $0.range,
                    phraseCount: $0.phraseCount
                )
            }
        }
        return matches(freeText: interest.name, in: text).map {
            LexiconMatch(
                subject: interest,
                strength: $0.strength,
                phrase: $0.phrase,
                range: $0.range,
                phraseCount: $0.phraseCount
            )
        }
    }

    /// Matches an interest in the user's own words; nil when nothing of it occurs.
    package func matches(freeText: String, in text: TokenizedText) -> LexiconMatch<String>? {
        let phrase = Phrase(freeText)
        if let range = text.positions(of: phrase).first {
            return LexiconMatch(subject: freeText, strength: .strong, phrase: freeText, range: range, phraseCount: 1)
        }
        let own = TokenizedText(freeText)
        let stems = Set(own.contentPrints)
        if stems.count > 1, let place = text.words.firstIndex(where: { stems.contains($0.stem) }),
            stems.isSubset(of: text.words.map(\.stem))
        {
            return LexiconMatch(
                subject: freeText,
                strength: .strong,
                phrase: freeText,
                range: place..<(place + 1),
                phraseCount: 1
            )
        }
        let subjects = Set(interests(in: own).filter { $0.strength == .strong }.map(\.subject))
        guard !subjects.isEmpty else { return nil }
        return interests(in: text).first { subjects.contains($0.subject) && $0.strength == .strong }.map {
            LexiconMatch(
                subject: freeText,
                strength: .weak,
                phrase: $0.phrase,
                range: $0.range,
                phraseCount: $0.phraseCount
            )
        }
    }
}

/// What a text says about one subject of the lexicon, with the phrase that says it best.
package struct LexiconMatch<Subject: Hashable & Sendable>: Hashable, Sendable {
    package let subject: Subject
    package let strength: MatchStrength
    /// The lexicon's phrase, as it is written there.
    package let phrase: String
    /// The tokens where it stands first.
    package let range: Range<Int>
    /// How many different phrases of this subject occur.
    package let phraseCount: Int
}

package typealias InterestMatch = LexiconMatch<KnownInterest>
package typealias VibeMatch = LexiconMatch<Vibe>
package typealias LoveLanguageMatch = LexiconMatch<LoveLanguage>

extension LexiconMatch where Subject == KnownInterest {
    package var interest: KnownInterest { subject }
}

/// Everything the lexicon finds in one text; each subject at most once, in its declared order.
package struct LexiconMatches: Hashable, Sendable {
    package let interests: [InterestMatch]
    package let vibes: [VibeMatch]
    package let loveLanguages: [LoveLanguageMatch]
}

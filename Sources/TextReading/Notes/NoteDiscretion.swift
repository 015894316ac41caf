package import TextEncoding

/// Decides which of the phrases that a note leads to may be told to a service.
///
/// "Compression socks" has no word of illness in it and tells of one all the same, since only a note about health asks for
/// them. So nothing that follows from such a note is told. A note of grief or worry may ask for the things that it names.
package struct NoteDiscretion: Sendable {
    private enum Subject {
        case anything
        /// With the stems of its words.
        case grief([UInt64])
        case health
    }

    private let subject: Subject

    /// Takes a note's words and the limits that it was read to state.
    package init(_ note: TokenizedText, limits: [String]) {
        let isOfHealth =
            note.words.contains { PublicPhrases.health.contains($0.stem) }
            || limits.contains { limit in
                let words = PhraseReading.of(limit).words.words
                return StrictLimits.has(limit)
                    || words.contains {
                        PublicPhrases.health.contains($0.stem) || DelicateWords.stems.contains($0.stem)
                    }
            }
        if isOfHealth {
            subject = .health
        } else if note.words.contains(where: { DelicateWords.stems.contains($0.stem) }) {
            subject = .grief(note.contentFingerprints)
        } else {
            subject = .anything
        }
    }

    /// Whether a phrase that serves the note may be told.
    package func allows(_ phrase: PhraseReading) -> Bool {
        switch subject {
        case .anything: Self.isPlain(phrase)
        case .grief(let named): Self.isPlain(phrase) && phrase.stems.count(where: named.contains) > 1
        case .health: false
        }
    }

    /// Whether a phrase of the vault as a whole may be told, beside phrases of its notes that may not.
    package static func allows(_ phrase: PhraseReading, beside withheld: [PhraseReading]) -> Bool {
        let least = min(2, phrase.stems.count)
        return isPlain(phrase)
            && !withheld.contains { other in phrase.stems.count { other.stems.contains($0) } >= least }
    }

    /// Whether a phrase asks for no thing that is without something, such as "alcohol-free" or "vegan".
    private static func isPlain(_ phrase: PhraseReading) -> Bool { phrase.condition == nil }
}

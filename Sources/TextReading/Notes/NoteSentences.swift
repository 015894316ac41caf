import KnotDomain
import TextEncoding

/// A note in whole sentences, each together with the turn that follows it: what a card may quote without twisting it.
///
/// "She loved the lake. Never again though." is one piece, since its first half alone says the opposite.
package struct NoteSentences {
    /// Pieces of the note as they stand in it, in order; together they are all of it.
    package let pieces: [String]

    package init(_ note: String) {
        var pieces: [String] = []
        for sentence in Self.sentences(of: note) {
            if let last = pieces.last, Self.isTurn(sentence.text) {
                pieces[pieces.count - 1] = last + sentence.gap + sentence.text
            } else {
                pieces.append(sentence.text)
            }
        }
        self.pieces = pieces
    }

    private typealias Sentence = (gap: String, text: String)

    /// The sentences and what stands between each and the one before.
    private static func sentences(of note: String) -> [Sentence] {
        var sentences: [Sentence] = []
        var gap = ""
        var text = ""
        var ends = false
        func close() {
            if !text.isEmpty { sentences.append((gap, text)) }
            (gap, text, ends) = ("", "", false)
        }
        for character in note {
            if character.isNewline || (ends && character.isWhitespace) {
                if ends || character.isNewline { close() }
                gap.append(character)
            } else if text.isEmpty, character.isWhitespace {
                gap.append(character)
            } else {
                text.append(character)
                ends = isEnd(character, after: text) || (ends && closers.contains(character))
            }
        }
        close()
        return sentences
    }

    private static let closers: Set<Character> = ["\"", "\u{201D}", "'", "\u{2019}", ")"]
    private static let titles: Set<String> = [
        "dr.", "mr.", "mrs.", "ms.", "st.", "vs.", "e.g.", "i.e.", "etc.", "no.", "prof.", "jr.", "sr.",
    ]

    /// A full stop behind a title or a single letter ends nothing.
    private static func isEnd(_ character: Character, after text: String) -> Bool {
        switch character {
        case "!", "?", ";", "\u{2026}": return true
        case ".":
            let word = text.suffix(while: { !$0.isWhitespace }).lowercased()
            return word.count > 2 && !titles.contains(word)
        default: return false
        }
    }

    /// Whether a sentence takes back, narrows or goes on with the one before it.
    private static func isTurn(_ sentence: String) -> Bool {
        let words = TokenizedText(sentence, limit: 5).words
        // Two words are no thought of their own.
        guard words.count > 2, let first = words.first else { return true }
        return links[first.word] != nil || words.contains { turns[$0.word] != nil }
    }

    /// What points back to the sentence before.
    private static let links = FingerprintTable(of: TableText.cues.fingerprints("links"))

    private static let turns = FingerprintTable(of: TableText.cues.fingerprints("turns"))
}

extension String {
    /// The longest end of the text whose characters all fit.
    fileprivate func suffix(while fits: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, fits(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}

/// Words of illness, grief and worry: a note that has one is nobody's headline, though it may well be the reason.
package enum DelicateWords {
    /// Whether a text speaks of somebody's health, grief or worries.
    package static func areIn(_ text: String) -> Bool {
        TokenizedText(text, limit: 400).words.contains { stems.contains($0.stem) }
    }

    static let stems = StemSet(
        fingerprints: Stemmer.fingerprints(ofStemsOf: TableText.cues.words("delicate"))
    )
}

/// Words by which a limit is one of body or mind: what such a limit rules out harms, and is no matter of taste.
package enum StrictLimits {
    /// Whether a limit names an allergy, an intolerance, a diet or a dread.
    package static func has(_ limit: String) -> Bool {
        TokenizedText(limit, limit: 60).words.contains { words[$0.word] != nil }
    }

    private static let words = FingerprintTable(of: TableText.cues.fingerprints("strict limits"))
}

/// Turns of phrase with which a note speaks against its thing: no card says that it goes with such a note.
///
/// What a note rules out in plain words is the reader's to find; these are disgust, embarrassment and what was given back,
/// in which there is no "no". A note that is only doubtful loses a quote, which is less than one that turns on its card.
package enum SpeaksAgainst {
    /// Whether the note has such a turn.
    package static func isIn(_ note: String) -> Bool {
        let text = TokenizedText(note, limit: 400)
        return text.words.contains { words[$0.word] != nil } || turns.contains(where: text.contains)
    }

    private static let words = FingerprintTable(of: TableText.cues.fingerprints("words against"))

    private static let turns: [Phrase] = TableText.cues.entries("turns against").map { Phrase($0.text, isExact: true) }
}

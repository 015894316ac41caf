package import KnotDomain
package import TextEncoding
import Threads

/// The meaning of a short phrase, in each form that stages compare.
///
/// A process works out each form once. The phrases that serve most vaults, and those that rule something out for them, come from the same tables.
package final class PhraseReading: Sendable {
    /// Words of a phrase that serves.
    package static let wordLimit = 60

    package let text: String
    package let words: TokenizedText
    /// The content stems, as fingerprints.
    package let stems: [UInt64]
    private let ruledOut = FirstAnswer<[AvoidPhrase]>()
    private let content = FirstAnswer<HarmSet.Phrase>()
    private let liked = FirstAnswer<[KnownInterest]>()
    private let fit = FirstAnswer<RemedyCondition?>()

    package init(_ text: String) {
        self.text = text
        words = TokenizedText(text, limit: Self.wordLimit)
        stems = words.contentFingerprints
    }

    /// The things that the phrase names if it rules something out.
    package var things: [AvoidPhrase] {
        ruledOut[{
            var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
            return AvoidPhrase.alternatives(text, by: &reader)
        }]
    }

    /// The things that the leading words of a serving phrase name.
    package var leadingThings: [AvoidPhrase] {
        if words.words.count < Self.wordLimit { return things }
        var reader = TokenizedText.Reader(limit: Self.wordLimit)
        return AvoidPhrase.alternatives(text, by: &reader)
    }

    /// The harms that the phrase mentions.
    package var harm: HarmSet.Phrase { content[{ HarmSet.Phrase(text) }] }

    /// Whom the phrase fits whom others would harm, as "nut-free" does; nil where any offer may serve.
    package var condition: RemedyCondition? { fit[{ RemedyCondition(words) }] }

    /// The interests of the shipped vocabulary that the one thing it names is of.
    package var interests: [KnownInterest] {
        liked[{
            guard things.count == 1, let thing = things.first else { return [] }
            var lexicon = Lexicon.SignReader(.shared)
            var found: [KnownInterest] = []
            lexicon.read(TokenizedText(text, limit: AvoidPhrase.wordLimit)) { sign in
                // "A novelty mug about travel" is no travel: the interest must be the thing itself.
                guard case .interest(let known) = sign.subject,
                    TokenizedText(sign.phrase).contentFingerprints.contains(thing.head)
                else { return }
                found.append(known)
            }
            return found
        }]
    }
}

extension PhraseReading: Hashable {
    package static func == (left: PhraseReading, right: PhraseReading) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PhraseReading {
    /// The reading of no words.
    package static let none = PhraseReading("")

    private static let known = TextMemory<PhraseReading>(capacity: 4_096)
    /// Longer texts are read again each time, which bounds the memory.
    private static let longest = 2_048

    /// Returns the reading of a text, from memory if the process has read it lately.
    package static func of(_ text: String) -> PhraseReading {
        text.utf8.count > longest ? PhraseReading(text) : known.value(of: text) { PhraseReading(text) }
    }
}

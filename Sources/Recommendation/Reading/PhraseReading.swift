import KnotDomain
import Synchronization
import TextEncoding
import TextReading

/// What a short phrase comes to wherever it is compared, each part worked out once for the whole process.
///
/// The phrases that serve most vaults, and those that rule something out for them, come from the same tables.
final class PhraseReading: Sendable {
    /// Words of a phrase that serves.
    static let wordLimit = 60

    let text: String
    let words: TokenizedText
    /// The content stems, as fingerprints.
    let stems: [UInt64]
    private let ruledOut = FirstAnswer<[AvoidPhrase]>()
    private let content = FirstAnswer<HarmSet.Phrase>()
    private let liked = FirstAnswer<[KnownInterest]>()

    init(_ text: String) {
        self.text = text
        words = TokenizedText(text, limit: Self.wordLimit)
        stems = words.contentFingerprints
    }

    /// The things that it names where it rules something out.
    var things: [AvoidPhrase] {
        ruledOut[{
            var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
            return AvoidPhrase.alternatives(text, by: &reader)
        }]
    }

    /// The same of the words of a phrase that serves.
    var leadingThings: [AvoidPhrase] {
        if words.words.count < Self.wordLimit { return things }
        var reader = TokenizedText.Reader(limit: Self.wordLimit)
        return AvoidPhrase.alternatives(text, by: &reader)
    }

    /// What it says of harms.
    var harm: HarmSet.Phrase { content[{ HarmSet.Phrase(text) }] }

    /// The interests of the shipped vocabulary that the one thing it names is of.
    var interests: [KnownInterest] {
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
    static func == (left: PhraseReading, right: PhraseReading) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PhraseReading {
    /// When the younger half is full, the older is forgotten.
    private struct Memory {
        var young: [ExactText: PhraseReading] = [:]
        var old: [ExactText: PhraseReading] = [:]
    }

    /// That of no words at all.
    static let none = PhraseReading("")

    private static let memory = Mutex(Memory())
    private static let mostYoung = 2_048
    /// Longer texts are read again each time, for the sake of memory.
    private static let longest = 2_048

    /// The reading of a text, kept for whoever asks next.
    static func of(_ text: String) -> PhraseReading {
        guard text.utf8.count <= longest else { return PhraseReading(text) }
        let key = ExactText(text)
        let known = memory.withLock { memory -> PhraseReading? in
            if let known = memory.young[key] { return known }
            guard let known = memory.old[key] else { return nil }
            if memory.young.count < mostYoung { memory.young[key] = known }
            return known
        }
        if let known { return known }
        let reading = PhraseReading(text)
        memory.withLock { memory in
            if memory.young.count >= mostYoung {
                memory.old = memory.young
                memory.young = [:]
            }
            memory.young[key] = reading
        }
        return reading
    }
}

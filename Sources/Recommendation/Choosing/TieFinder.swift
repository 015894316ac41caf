package import KnotDomain
import StageGraph
import TextEncoding
import TextReading

/// Finds what ties each card of a set to its person: a note it quotes, a wish it names, a like, or nothing.
///
/// No note is quoted that rules something out or speaks against the card, none twice in a set, none of its sentences in
/// part, and none that tells of illness or worry. What is near only by a shared side word is no tie at all.
struct TieFinder {
    /// The nearness from which a tie is shown.
    struct Strength {
        /// Share of a phrase's weight that the offer's words cover; the word that names the thing must be among them.
        let words: Double
        /// Cosine of a phrase with the offer.
        let meaning: Double
    }

    /// What the graph knows of notes, phrases and vocabulary; a pipeline without it ties by nothing but likes.
    struct Knowledge {
        let digest: HintDigest?
        let relatedness: PhraseSimilarity?
        let taste: TasteFeatures?
    }

    static let longestQuote = 200
    private let brief: Brief
    private let knowledge: Knowledge
    private let strength: Strength
    private let reader: any FallbackReader
    /// The notes that this set has quoted.
    private var quoted: Set<HintID> = []

    init(_ brief: Brief, _ knowledge: Knowledge, _ strength: Strength, reader: any FallbackReader) {
        self.brief = brief
        self.knowledge = knowledge
        self.strength = strength
        self.reader = reader
    }

    /// The tie of one card, given the hints that counted for it, the strongest first.
    mutating func tie(of offer: Offer, hints: [HintID]) -> Tie {
        var wish: Tie?
        for id in hints {
            guard let entry = knowledge.digest?.ranked.first(where: { $0.hint.id == id }),
                let phrase = carrier(of: entry, for: offer), !isOffended(entry, by: offer),
                !SpeaksAgainst.isIn(entry.hint.text)
            else { continue }
            // The rules come last: their tables take time to read, and most notes cannot be quoted anyway.
            if !quoted.contains(id), let quote = quote(of: entry, phrase, for: offer), !rulesOut(entry) {
                quoted.insert(id)
                return quote
            }
            let isSayable = !phrase.isOwnWords && !DelicateWords.areIn(phrase.text)
            if wish == nil { wish = isSayable ? .wish(id, phrase: phrase.text) : .noted(id) }
        }
        return wish ?? like(in: offer) ?? .none
    }

    /// The phrase of a note that an offer serves strongly enough, the nearest of them.
    private func carrier(of entry: HintDigest.RankedHint, for offer: Offer) -> HintDigest.Phrase? {
        guard let serves = knowledge.relatedness?.serves else { return nil }
        let cosines = knowledge.relatedness?.cosines?.serves.nearness(of: offer.itemID)
        var best: (phrase: HintDigest.Phrase, nearness: Double)?
        for (column, nearness) in serves.nearness(of: offer.itemID).enumerated() {
            guard nearness > best?.nearness ?? 0, serves.phrases[column].hint == entry.hint.id else { continue }
            let phrase = serves.phrases[column]
            guard phrase.condition?.isMet(by: offer.words.said) ?? true else { continue }
            let cosine = cosines.map { $0[$0.startIndex + column] } ?? 0
            // A whole note speaks of more than its wish, so that it is near to more.
            let least = strength.meaning + (phrase.isOwnWords ? 0.1 : 0)
            let isMeant = cosine >= least && (cosine >= Self.surely || isSpokenOf(phrase, by: offer))
            if isMeant || isCovered(phrase.stems, by: offer) { best = (phrase, nearness) }
        }
        return best?.phrase
    }

    /// No two different things of the judged pools are nearer than this.
    private static let surely = 0.85

    /// Whether an offer that lies near a phrase has a telling word of it, and is not the like of the same thing for another
    /// use: strings of a violin are no strings of a guitar.
    private func isSpokenOf(_ phrase: HintDigest.Phrase, by offer: Offer) -> Bool {
        let telling = phrase.stems.filter { !CommonWords.occasions.contains($0) && !CommonWords.forms.contains($0) }
        guard telling.contains(where: offer.words.allSet.contains) else { return false }
        guard !phrase.isOwnWords, let kind = GiftKind(title: offer.words.title), !kind.uses.isEmpty else { return true }
        return !phrase.reading.things.contains { thing in
            let uses = StemSet(fingerprints: thing.narrowing).telling(ofGift: true)
            return thing.head == kind.head && !uses.isEmpty && uses.sharedCount(with: offer.words.titleSet) == 0
        }
    }

    /// Whether the offer's words are the phrase's own: most of their weight, the last, which names the thing, and one
    /// that sets it apart from things of other kinds that come in the same form.
    private func isCovered(_ stems: [UInt64], by offer: Offer) -> Bool {
        let (heads, occasions, forms) = (offer.words.headSet, CommonWords.occasions, CommonWords.forms)
        let stems = stems.filter { !occasions.contains($0) }
        guard let head = stems.last, heads.contains(head),
            stems.contains(where: { !forms.contains($0) && heads.contains($0) })
        else { return false }
        let (weights, words) = (WordWeights.shared, offer.words.allSet)
        let all = stems.reduce(0) { $0 + weights.weight(of: $1) }
        let found = stems.reduce(0) { $0 + (words.contains($1) ? weights.weight(of: $1) : 0) }
        return found >= strength.words * all
    }

    /// Whether a note rules anything out, as it was read or by the rules.
    private func rulesOut(_ entry: HintDigest.RankedHint) -> Bool {
        entry.reading.stance == .avoids || reader.rulesOut(entry.hint, of: brief.vault, asOf: brief.asOf)
    }

    /// Whether the note itself rules out something that this offer is near.
    private func isOffended(_ entry: HintDigest.RankedHint, by offer: Offer) -> Bool {
        guard let avoids = knowledge.relatedness?.avoids else { return false }
        return zip(avoids.phrases, avoids.nearness(of: offer.itemID)).contains { phrase, nearness in
            phrase.hint == entry.hint.id && nearness > 0
        }
    }

    /// The sentence of the note that has most to do with the offer.
    private func quote(of entry: HintDigest.RankedHint, _ phrase: HintDigest.Phrase, for offer: Offer) -> Tie? {
        let pieces = NoteSentences(entry.hint.text).pieces
        let asked = StemSet(fingerprints: phrase.stems)
        let weights = WordWeights.shared
        var best: (text: String, shown: Double, value: Double)?
        for piece in pieces {
            let stems = StemSet(contentOf: TokenizedText(piece, limit: 120))
            let shown = weights.sum(over: stems.shared(with: offer.words.allSet).without(CommonWords.occasions))
            let value = shown + weights.sum(over: stems.shared(with: asked))
            if value > best?.value ?? (pieces.count == 1 ? -1 : 0) { best = (piece, shown, value) }
        }
        guard let best, best.text.count <= Self.longestQuote, !best.text.contains(where: \.isNewline),
            !DelicateWords.areIn(best.text)
        else { return nil }
        // Where no telling word stands in both, the quote alone would not show what it has to do with the offer.
        let isShown = best.shown >= weights.rarest / 2
        if !isShown, phrase.isOwnWords { return nil }
        return .quote(entry.hint.id, best.text, phrase: isShown ? nil : phrase.text)
    }

    /// The like that shows in the offer's title or tags, by its words.
    private func like(in offer: Offer) -> Tie? {
        guard let taste = knowledge.taste else { return nil }
        for like in brief.vault.likes {
            let sign = InterestSign(like).sign(in: offer, taste[offer.itemID])
            if let sign, sign.clarity == .evident { return .like(like, words: sign.words) }
        }
        return nil
    }
}

/// What ties an offer to its person, and what carries that: words that both have, or what they mean.
package enum Tie: Sendable, Hashable {
    /// A noted wish in the person's own words; `phrase` says what it asks for where the words alone do not show it.
    case quote(HintID, String, phrase: String?)
    /// A noted wish, named by what would serve it.
    case wish(HintID, phrase: String)
    /// A noted wish, neither quoted nor named.
    case noted(HintID)
    /// A like, with the words of the offer that show it.
    case like(Interest, words: String)
    /// Nothing that is strong enough to be shown.
    case none

    /// The hint that a card is about.
    var hint: HintID? {
        switch self {
        case .quote(let id, _, _), .wish(let id, _), .noted(let id): id
        case .like, .none: nil
        }
    }
}

/// Whether words that a reason names really stand where it says they do, in whatever form.
enum StatedWords {
    /// The content stems of what is named.
    static func fingerprints(of words: String) -> [UInt64] {
        TokenizedText(words, limit: 40).contentFingerprints
    }

    /// The stems of an offer's title and description, which people see; its tags they do not.
    static func shown(by offer: Offer) -> StemSet {
        offer.words.titleSet.union(StemSet(fingerprints: offer.words.bodyFingerprints))
    }

    /// Whether a note itself has every word of a phrase.
    static func speaks(_ note: String, of phrase: String) -> Bool {
        let named = fingerprints(of: phrase)
        let said = StemSet(contentOf: TokenizedText(note, limit: 400))
        return !named.isEmpty && named.allSatisfy(said.contains)
    }
}

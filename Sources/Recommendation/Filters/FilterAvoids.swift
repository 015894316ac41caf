import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// Drops what hints rule out, measured against what the same offer serves.
package struct FilterAvoids: FilterStage {
    package static let kind = "filter.avoids"
    package static let revision = 7
    package static let summary = "Drops offers that the hints rule out, unless they also serve another hint."
    static let relatedness = InputPort<PhraseSimilarity>("relatedness")
    static let brief = OptionalPort<Brief>("brief")
    static let taste = OptionalPort<TasteFeatures>("taste")
    package static let inputs = [relatedness.declaration, brief.declaration, taste.declaration]

    static let threshold = Parameter<Double>(
        "threshold",
        default: 0.65,
        in: 0...1,
        "How certainly an offer must match what is ruled out."
    )
    static let relief = Parameter<Double>(
        "relief",
        default: 0.8,
        in: 0...2,
        "How much of what an offer serves is subtracted from how much it offends."
    )
    static let pardon = Parameter<Double>(
        "pardon",
        default: 0.1,
        in: 0...2,
        "Lead in meaning with which a wish that shares the word saves an offer that only its words rule out."
    )
    package static let parameters = [threshold.declaration, relief.declaration, pardon.declaration]

    /// The least cosine with what is ruled out: two thirds of what is ruled out in other words lie above, few good offers do.
    private static let certainty = 0.45
    /// The least lead of the ruled-out meaning over every meaning that serves: a hair is no verdict.
    private static let lead = 0.05
    /// Another interest may be nearer in meaning by so much than the disliked one in a vault's phrase.
    private static let slack = 0.02

    private let threshold: Double
    private let relief: Double
    private let pardon: Double

    package init(_ parameters: ParameterValues) {
        threshold = parameters[Self.threshold]
        relief = parameters[Self.relief]
        pardon = parameters[Self.pardon]
    }

    /// What rules offers out, and which of it is about the vault's own interests.
    package struct Facts: Sendable {
        let relatedness: PhraseSimilarity
        let interests: InterestPhrases?
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts {
        let relatedness = try inputs.value(Self.relatedness)
        guard let brief = inputs.value(Self.brief), let taste = inputs.value(Self.taste) else {
            return Facts(relatedness: relatedness, interests: nil)
        }
        let phrases = relatedness.avoids.phrases
        return Facts(relatedness: relatedness, interests: InterestPhrases(phrases, brief.vault.dislikes, taste))
    }

    package func verdict(on item: Offer, given known: Facts) throws(StageFailure) -> FilterVerdict {
        let facts = known.relatedness
        let spared = known.interests?.spared(item, slack: Self.slack) ?? []
        func drop(for phrase: HintDigest.Phrase) -> FilterVerdict {
            let interest = phrase.hint == nil ? known.interests?.name(of: phrase) : nil
            return .drop(reason: "avoided", evidence: phrase.hint.map { "hint \($0)" } ?? interest ?? "vault")
        }
        let meant = facts.offence(of: item.itemID, but: spared)
        if let meant, meant.cosine >= Self.certainty, meant.lead >= Self.lead,
            meant.phrase.isStrict || !facts.serves.phrases.ask(for: item, inSpiteOf: meant.phrase)
        {
            return drop(for: meant.phrase)
        }
        let ruling = facts.ruling(item.itemID)
        if let harm = harm(of: item, by: ruling, given: facts) { return drop(for: harm) }
        let offence = ruling.strongest(for: item.itemID, but: spared)
        guard let offence, offence.nearness >= threshold else { return .keep }
        let service = facts.serves.strongest(for: item.itemID, among: .serving)
        guard offence.nearness > relief * (service?.nearness ?? 0) else { return .keepFlagged(["near_avoided"]) }
        if facts.serves.phrases.ask(for: item, inSpiteOf: offence.phrase) { return .keepFlagged(["near_avoided"]) }
        // A word that it only shares with what is ruled out does not outweigh what it means, where the wish has that word too.
        if let meant, meant.lead <= -pardon, isWished(offence.phrase, item, given: facts) {
            return .keepFlagged(["near_avoided"])
        }
        return drop(for: offence.phrase)
    }

    /// Whether a wish that the offer clearly means names what is ruled out as the offer does: "rose gold" is no rose, and a
    /// case of wine no case of red wine.
    private func isWished(_ phrase: HintDigest.Phrase, _ item: Offer, given facts: PhraseSimilarity) -> Bool {
        guard let cosines = facts.cosines else { return false }
        let said = item.words.said.allSet
        let things = phrase.reading.things.filter { said.contains($0.head) }
        let least = (cosines.avoids.strongest(for: item.itemID)?.nearness ?? 0) + pardon
        return zip(cosines.serves.phrases, cosines.serves.nearness(of: item.itemID)).contains { wish, nearness in
            // Who loves a guitar and wants no new one is given strings, and no guitar.
            let isExact = wish.stems.count > 1 && wish.stems.allSatisfy(said.contains)
            return nearness >= least && wish.hint != nil && !wish.isOwnWords
                && things.contains { thing in
                    wish.stems.contains(thing.head) && (!thing.isAcquisition || isExact)
                        && thing.narrowing.allSatisfy { !said.contains($0) || wish.stems.contains($0) }
                }
        }
    }

    /// What an offer would do harm by, unless it is the remedy that the same note asks for: other wishes outweigh nothing.
    private func harm(of item: Offer, by ruling: PhraseTable, given facts: PhraseSimilarity) -> HintDigest.Phrase? {
        for place in ruling.strictHints {
            let scope = PhraseTable.Scope.strict(place)
            guard let offence = ruling.strongest(for: item.itemID, among: scope), offence.nearness >= threshold
            else { continue }
            let remedies = facts.serves.phrases.indices.filter {
                let phrase = facts.serves.phrases[$0]
                return phrase.hint == offence.phrase.hint && phrase.condition?.isMet(by: item.words.said) ?? false
            }
            if remedies.isEmpty { return offence.phrase }
            let isNamed = remedies.contains {
                facts.serves.phrases[$0].condition?.isMet(by: item.words.said, byNameAlone: true) ?? false
            }
            let served = facts.serves.most(of: remedies, for: item.itemID)
            let lead = facts.cosines.map {
                ($0.avoids.strongest(for: item.itemID, among: scope)?.nearness ?? 0)
                    - $0.serves.most(of: remedies, for: item.itemID)
            }
            if isNamed || offence.nearness <= relief * served || lead.map({ $0 <= -pardon }) ?? false { continue }
            return offence.phrase
        }
        return nil
    }
}

/// Which phrases of the vault as a whole name a disliked interest.
///
/// What lies near such a phrase may be another thing: a mug for the road is no travel. So they rule out only what shows the
/// interest in its words, look-alikes aside, or is nearest to it in meaning.
struct InterestPhrases: Sendable {
    private let taste: TasteFeatures
    private let signs: [InterestSign]
    /// The phrases' places, each with the one of the interest.
    private let named: [(phrase: Int, interest: Int)]
    private let names: [String: String]

    init(_ phrases: [HintDigest.Phrase], _ dislikes: [Interest], _ taste: TasteFeatures) {
        self.taste = taste
        signs = dislikes.map(InterestSign.init)
        var named: [(phrase: Int, interest: Int)] = []
        var names: [String: String] = [:]
        for (place, phrase) in phrases.enumerated() where phrase.hint == nil {
            for known in phrase.reading.interests {
                guard let dislike = dislikes.firstIndex(where: { $0.known == known }) else { continue }
                // Of several the last counts.
                if named.last?.phrase == place { named.removeLast() }
                named.append((place, dislike))
                names[phrase.text] = dislikes[dislike].name
            }
        }
        self.named = named
        self.names = names
    }

    /// The interest that a phrase names.
    func name(of phrase: HintDigest.Phrase) -> String? { names[phrase.text] }

    /// The places of the phrases whose interest an offer is not about.
    func spared(_ item: Offer, slack: Double) -> [Int] {
        if named.isEmpty { return [] }
        let found = taste[item.itemID]
        let affinity = taste.affinity(of: item.itemID)
        let isShown = signs.map { sign in
            sign.sign(in: item, found, spoken: true) != nil
                || affinity?.isNearest(sign.interest, within: slack) ?? false
        }
        return named.filter { !isShown[$0.interest] }.map(\.phrase)
    }
}

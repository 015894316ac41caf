import KnotDomain
package import StageGraph
import TextReading

/// Drops what a hint rules out, always measured against what the same offer serves: a sourdough kit is near "no cakes"
/// and nearer to "whole-grain sourdough".
package struct FilterAvoids: FilterStage {
    package static let kind = "filter.avoids"
    package static let revision = 2
    package static let summary = "Drops what the hints rule out, relative to what the same offer serves."
    static let relatedness = InputPort<PhraseSimilarity>("relatedness")
    package static let inputs = [relatedness.declaration]

    static let threshold = Parameter<Double>(
        "threshold",
        default: 0.65,
        in: 0...1,
        "How surely an offer must be what is ruled out."
    )
    static let relief = Parameter<Double>(
        "relief",
        default: 0.8,
        in: 0...2,
        "How much of what an offer serves is held against what it offends."
    )
    static let certainty = Parameter<Double>(
        "cosine",
        default: 0.45,
        in: 0...1,
        "How near in meaning an offer must be to what is ruled out."
    )
    static let lead = Parameter<Double>(
        "lead",
        default: 0.05,
        in: 0...1,
        "By how much more an offer must mean what is ruled out than anything that serves."
    )
    static let pardon = Parameter<Double>(
        "pardon",
        default: 0.1,
        in: 0...2,
        "How much more an offer must mean what serves, for words alone not to rule it out."
    )
    package static let parameters = [
        threshold.declaration, relief.declaration, certainty.declaration, lead.declaration, pardon.declaration,
    ]

    private let threshold: Double
    private let relief: Double
    private let certainty: Double
    private let lead: Double
    private let pardon: Double

    package init(_ parameters: ParameterValues) {
        threshold = parameters[Self.threshold]
        relief = parameters[Self.relief]
        certainty = parameters[Self.certainty]
        lead = parameters[Self.lead]
        pardon = parameters[Self.pardon]
    }

    package func verdict(on item: Offer, given facts: PhraseSimilarity) throws(StageFailure) -> FilterVerdict {
        let meant = facts.offence(of: item.itemID)
        if let meant, meant.cosine >= certainty, meant.lead >= lead { return Self.drop(for: meant.phrase) }
        let ruling = facts.ruling(item.itemID)
        if let harm = harm(of: item, by: ruling, given: facts) { return Self.drop(for: harm) }
        let offence = ruling.strongest(for: item.itemID)
        guard let offence, offence.nearness >= threshold else { return .keep }
        let service = facts.serves.strongest(for: item.itemID, among: .serving)
        guard offence.nearness > relief * (service?.nearness ?? 0) else { return .keepFlagged(["near_avoided"]) }
        // Words that it only shares with what is ruled out do not outweigh what it means.
        if let meant, meant.lead <= -pardon { return .keepFlagged(["near_avoided"]) }
        return Self.drop(for: offence.phrase)
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

    private static func drop(for phrase: HintDigest.Phrase) -> FilterVerdict {
        .drop(reason: "avoided", evidence: phrase.hint.map { "hint \($0)" } ?? "vault")
    }
}

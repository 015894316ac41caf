import KnotDomain
package import Recommendation
package import StageGraph
import TextReading

/// The original's interest score: one for each liked category times its learned weight, and half a point for the tag.
package struct ClassicInterests: ScoreStage {
    package static let kind = "classic.interests"
    package static let summary = "Gives one point for each liked category in the text and half a point for its tag."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func contribution(of item: Offer, given taste: ClassicTaste) throws(StageFailure) -> Contribution? {
        var score = 0.0
        var evidence: [Evidence] = []
        for like in taste.likes where like.matches(item) {
            score += taste.weights.weight(ofInterest: like.name)
            evidence.append(Evidence(kind: "interest", ref: like.name, weight: 1))
        }
        if taste.likes.contains(where: { $0.isTagged(item) }) { score += 0.5 }
        return Contribution(score, evidence: evidence)
    }
}

/// The original's vibe boost: 0.30 times its weight for each matching vibe, without a ceiling.
package struct ClassicVibes: ScoreStage {
    package static let kind = "classic.vibes"
    package static let summary = "Gives 0.30 for each matching vibe, without an upper limit."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func contribution(of item: Offer, given taste: ClassicTaste) throws(StageFailure) -> Contribution? {
        let text = item.study.classic.text
        let matching = taste.vault.vibes.filter { ClassicVocabulary.says(text, $0) }
        return Contribution(
            matching.reduce(0) { $0 + 0.30 * taste.weights.weight(of: $1) },
            evidence: matching.map { Evidence(kind: "vibe", ref: $0.rawValue, weight: 0.30) }
        )
    }
}

/// The original's love-language boost: by type for two of the five, by keywords for the others.
package struct ClassicLoveLanguages: ScoreStage {
    package static let kind = "classic.love_languages"
    package static let summary = "Gives 0.40 or 0.20 for the type and 0.20 or 0.10 for keywords."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func contribution(of item: Offer, given taste: ClassicTaste) throws(StageFailure) -> Contribution? {
        let languages = taste.vault.loveLanguages
        let primary = boost(languages.primary, byType: 0.40, byWords: 0.20, item)
        let secondary = boost(languages.secondary, byType: 0.20, byWords: 0.10, item)
        return Contribution(primary + secondary)
    }

    private func boost(_ language: LoveLanguage, byType: Double, byWords: Double, _ item: Offer) -> Double {
        switch language {
        case .receivingGifts: return item.candidate.type == .gift ? byType : 0
        case .qualityTime: return item.candidate.type != .gift ? byType : 0
        case .wordsOfAffirmation, .actsOfService, .physicalTouch:
            return ClassicVocabulary.says(item.study.classic.text, language) ? byWords : 0
        }
    }
}

import KnotDomain
package import StageGraph

/// The original's love-language boost: by type for two of the five, by keywords for the others.
package struct ClassicLoveLanguages: ScoreStage {
    package static let kind = "classic.love_languages"
    package static let summary = "0.40 or 0.20 by type, 0.20 or 0.10 by keywords."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func contribution(of item: Offer, given brief: Brief) throws(StageFailure) -> Contribution? {
        let languages = brief.vault.loveLanguages
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

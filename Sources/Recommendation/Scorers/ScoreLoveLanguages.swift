import KnotDomain
package import StageGraph

/// How well an offer speaks the partner's love languages: by what it is and by its words, the secondary counting half.
package struct ScoreLoveLanguages: ScoreStage {
    package static let kind = "score.love_languages"
    package static let summary = "Scores how well an offer speaks the partner's love languages."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<TasteFeatures>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    static let byType = Parameter<Double>(
        "by_type",
        default: 0.5,
        in: 0...1,
        "Score of a fitting type, such as a gift for receiving gifts."
    )
    static let secondary = Parameter<Double>(
        "secondary",
        default: 0.5,
        in: 0...1,
        "Weight of the second love language relative to the first."
    )
    package static let parameters = [byType.declaration, secondary.declaration, ScoreInterests.meaning.declaration]

    private let byType: Double
    private let secondary: Double
    private let most: Double

    package init(_ parameters: ParameterValues) {
        byType = parameters[Self.byType]
        secondary = parameters[Self.secondary]
        most = parameters[ScoreInterests.meaning]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> (Brief, TasteFeatures) {
        (try inputs.value(Self.brief), try inputs.value(Self.taste))
    }

    package func contribution(
        of item: Offer,
        given facts: (Brief, TasteFeatures)
    ) throws(StageFailure) -> Contribution? {
        let languages = facts.0.vault.loveLanguages
        let signs = facts.1[item.itemID]
        let affinity = facts.1.affinity(of: item.itemID)
        var value = 0.0
        var evidence: [Evidence] = []
        for (language, weight) in [(languages.primary, 1.0), (languages.secondary, secondary)] {
            let spoken = weight * strength(of: language, in: item, signs)
            if spoken > 0 { evidence.append(Evidence(kind: "love_language", ref: language.rawValue, weight: spoken)) }
            let meant = affinity.map { weight * most * $0.strength(of: language) } ?? 0
            value += max(spoken, meant)
        }
        return Contribution(min(1, value / (1 + secondary)), evidence: evidence)
    }

    private func strength(of language: LoveLanguage, in item: Offer, _ signs: TasteSigns) -> Double {
        let words =
            switch signs.sign(of: language)?.clarity {
            case .none: 0.0
            case .faint: 0.35
            case .mentioned: 0.7
            case .evident: 1.0
            }
        let speaksByType =
            switch language {
            case .receivingGifts: item.candidate.type == .gift
            case .qualityTime: item.candidate.type != .gift
            case .wordsOfAffirmation, .actsOfService, .physicalTouch: false
            }
        return max(words, speaksByType ? byType : 0)
    }
}

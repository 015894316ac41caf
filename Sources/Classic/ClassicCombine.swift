import KnotDomain
package import Recommendation
package import StageGraph
import TextReading

#if canImport(Glibc)
import Glibc
#endif

/// The original's product, max(interest, 1) × (1 + vibe) × (1 + love language) × type weight, told as what each factor adds.
package struct ClassicCombine: CombineStage {
    package typealias Item = Offer
    package static let kind = "classic.combine"
    package static let summary = "Multiplies max(interest, 1), 1 + vibe, 1 + love language and the weight of the type."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    /// The factors that scorers give, by their nodes' names.
    private static let factors = ["interests", "vibes", "love_languages"]

    package static func objections(to setting: StageSetting) -> [StageObjection] {
        setting.nodes(at: columns.name).filter { !factors.contains($0.text) }.map { scorer in
            StageObjection(
                "inputs.\(columns.name)",
                "the scorer \"\(scorer)\" is no factor here; those are " + factors.joined(separator: ", ")
            )
        }
    }

    package init() {}

    package func facts(from columns: [ScoreColumn], _ inputs: StageInputs) throws(StageFailure) -> Brief {
        try inputs.value(Self.brief)
    }

    package func total(of item: Offer, from columns: [ScoreColumn], given brief: Brief) -> Total {
        let value = { (name: String) in columns.first { $0.node.text == name }?[item.itemID]?.value ?? 0 }
        let base = max(value("interests"), 1)
        let styled = base * (1 + value("vibes"))
        let loved = styled * (1 + value("love_languages"))
        let final = loved * ClassicWeights.weight(of: item.candidate.type, in: brief.vault)
        return Total(
            parts: [
                Total.Part(name: "interests", value: base), Total.Part(name: "vibes", value: styled - base),
                Total.Part(name: "love_languages", value: loved - styled),
                Total.Part(name: "type", value: final - loved),
            ],
            evidence: columns.flatMap { $0[item.itemID]?.evidence ?? [] }
        )
    }
}

/// The original's learned weights: clamp(1 + mean·√n / (√n + 2), 0.5, 2), from three signals on.
package struct ClassicWeights: Sendable {
    private let interests: [String: Double]
    private let vibes: [Vibe: Double]

    init(_ vault: Vault, likes: [ClassicCategory]) {
        var interests: [String: [Double]] = [:]
        var vibes: [Vibe: [Double]] = [:]
        for item in vault.history {
            guard !item.feedback.isEmpty else { continue }
            // The original attributed by substrings of the title; that is one of its flaws.
            let title = ClassicText(item.title)
            let liked = likes.filter { $0.stands(in: title) }
            let styles = Vibe.allCases.filter { ClassicVocabulary.says(title, $0) }
            for signal in item.feedback.map(\.signal) {
                for like in liked { interests[like.name, default: []].append(signal) }
                for vibe in styles { vibes[vibe, default: []].append(signal) }
            }
        }
        self.interests = interests.mapValues(Self.weight)
        self.vibes = vibes.mapValues(Self.weight)
    }

    func weight(ofInterest name: String) -> Double { interests[name] ?? 1 }
    func weight(of vibe: Vibe) -> Double { vibes[vibe] ?? 1 }

    /// The weight of one type alone, which needs no look at any text.
    static func weight(of type: CandidateType, in vault: Vault) -> Double {
        weight(vault.history.filter { $0.type == type }.flatMap { $0.feedback.map(\.signal) })
    }

    private static func weight(_ signals: [Double]) -> Double {
        guard signals.count >= 3 else { return 1 }
        let mean = signals.reduce(0, +) / Double(signals.count)
        let root = Double(signals.count).squareRoot()
        return min(2, max(0.5, 1 + mean * root / (root + 2)))
    }
}

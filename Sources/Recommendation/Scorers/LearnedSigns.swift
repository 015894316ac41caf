import KnotDomain
import StageGraph
import TextEncoding

/// What learned weights say of offers: the mean over the factors that an offer shows, fading with the time since.
struct LearnedSigns {
    /// By offer; one that shows no factor whose weight is known is not there.
    private(set) var contributions: [ItemID: Contribution] = [:]

    /// The factors of a weight above 1 speak for an offer and those of one below 1 against it: twice as dear and half as
    /// dear are equally far from ordinary.
    init(of offers: [Offer], taste: LearnedTaste, vault: Vault, asOf: Instant) {
        let days = max(0, Double(asOf.secondsSinceEpoch - taste.asOf.secondsSinceEpoch) / 86_400)
        let fading = Power.half(days / taste.halfLifeDays)
        // No factor of an offer can name what the vault does not.
        let interests = (vault.likes + vault.dislikes).map { (sign: InterestSign($0), name: "interest:\($0.name)") }
            .filter { taste.weights[$0.name] != nil }
        var reader = Lexicon.SignReader(.shared)
        for offer in offers {
            let signs = TasteSigns(of: offer, by: &reader)
            var names = ["type:\(offer.candidate.type.rawValue)"]
            for interest in interests where Self.isClear(interest.sign.sign(in: offer, signs)) {
                names.append(interest.name)
            }
            for vibe in Vibe.allCases where Self.isClear(signs.sign(of: vibe)) { names.append("vibe:\(vibe.rawValue)") }
            for language in LoveLanguage.allCases
            where Self.isClear(signs.sign(of: language)) || Self.speaks(offer.candidate.type, language) {
                names.append("love_language:\(language.rawValue)")
            }
            let evidence = names.compactMap { name in
                taste.weights[name].map {
                    Evidence(kind: "learned", ref: name, weight: fading * Power.exponent(ofTwo: $0))
                }
            }
            guard !evidence.isEmpty else { continue }
            let mean = evidence.reduce(0) { $0 + $1.weight } / Double(evidence.count)
            contributions[offer.itemID] = Contribution(min(1, max(0, 0.5 + mean / 2)), evidence: evidence)
        }
    }

    /// A related word alone is too little to hold feedback against an offer.
    private static func isClear(_ sign: TasteSigns.Sign?) -> Bool {
        sign.map { $0.clarity >= .mentioned } ?? false
    }

    /// What an offer says by what it is.
    private static func speaks(_ type: CandidateType, _ language: LoveLanguage) -> Bool {
        switch language {
        case .receivingGifts: type == .gift
        case .qualityTime: type != .gift
        case .wordsOfAffirmation, .actsOfService, .physicalTouch: false
        }
    }
}

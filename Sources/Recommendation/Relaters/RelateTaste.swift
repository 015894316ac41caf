import KnotDomain
package import StageGraph
package import TextEncoding

/// Finds the interests, vibes and love languages that every offer's words show, by the lexicon.
package struct RelateTaste: TransformStage {
    package static let kind = "relate.taste"
    package static let role = StageRole.relater
    package static let summary = "Finds the interests, vibes and love languages that an offer's words show."
    static let pool = InputPort<Pool<Offer>>("pool")
    package static let inputs = [pool.declaration]

    private let lexicon: Lexicon

    package init(lexicon: Lexicon = .shared) {
        self.lexicon = lexicon
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> PoolTaste {
        var table: [ItemID: TasteSigns] = [:]
        for offer in try inputs.value(Self.pool).items { table[offer.itemID] = signs(of: offer) }
        return PoolTaste(table)
    }

    private func signs(of offer: Offer) -> TasteSigns {
        var signs = TasteSigns()
        for (words, strong) in [
            (offer.words.title, TasteSigns.Clarity.evident), (offer.words.tags, .evident),
            (offer.words.body, .mentioned),
        ] {
            if words.isEmpty { continue }
            let matches = lexicon.matches(in: words)
            for match in matches.interests { Self.note(match, strong, &signs.interests) }
            for match in matches.vibes { Self.note(match, strong, &signs.vibes) }
            for match in matches.loveLanguages { Self.note(match, strong, &signs.loveLanguages) }
        }
        return signs
    }

    private static func note<Key>(
        _ match: LexiconMatch<Key>,
        _ strong: TasteSigns.Clarity,
        _ found: inout [Key: TasteSigns.Sign]
    ) {
        let clarity = match.strength == .strong ? strong : .faint
        if let known = found[match.subject], known.clarity >= clarity { return }
        found[match.subject] = TasteSigns.Sign(clarity: clarity, words: match.phrase)
    }
}

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
        let offers = try inputs.value(Self.pool).items
        var table = ItemTable(capacity: offers.count)
        var signs: [TasteSigns] = []
        signs.reserveCapacity(offers.count)
        for offer in offers {
            let (number, isNew) = table.insert(offer.itemID)
            if isNew { signs.append(self.signs(of: offer)) } else { signs[number] = self.signs(of: offer) }
        }
        return PoolTaste(table, signs)
    }

    private func signs(of offer: Offer) -> TasteSigns {
        var signs = TasteSigns()
        signs.note(lexicon.signs(in: offer.words.title), strong: .evident)
        signs.note(lexicon.signs(in: offer.words.tags), strong: .evident)
        signs.note(lexicon.signs(in: offer.words.body), strong: .mentioned)
        return signs
    }
}

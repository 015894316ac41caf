import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// Works out how near every phrase is to every candidate: by words always, by meaning too where it is known.
package struct RelatePhrases: TransformStage {
    package static let kind = "relate.phrases"
    package static let revision = 4
    package static let role = StageRole.relater
    package static let summary = "Computes how near every phrase is to every candidate, by words and by meaning."
    static let pool = InputPort<Pool<Offer>>("pool")
    static let digest = InputPort<HintDigest>("hints")
    static let meaning = OptionalPort<EmbeddingFeatures>("meaning")
    package static let inputs = [pool.declaration, digest.declaration, meaning.declaration]

    static let share = Parameter<Double>(
        "meaning",
        default: 0.5,
        in: 0...1,
        "Share of meaning in the nearness; words make up the rest."
    )
    static let cosineFloor = Parameter<Double>(
        "cosine_floor",
        default: 0.1,
        in: 0...1,
        "Cosine at which two texts have nothing in common."
    )
    static let cosineCeiling = Parameter<Double>(
        "cosine_ceiling",
        default: 0.8,
        in: 0...1,
        "Cosine at which an offer is exactly what a phrase asks for."
    )
    package static let parameters = [share.declaration, cosineFloor.declaration, cosineCeiling.declaration]

    package static func objections(to setting: StageSetting) -> [StageObjection] {
        let (floor, ceiling) = (setting.parameters[cosineFloor], setting.parameters[cosineCeiling])
        guard floor >= ceiling else { return [] }
        let field = "parameters." + setting.latest(of: [cosineFloor.name, cosineCeiling.name])
        return [StageObjection(field, "cosine_floor (\(floor)) must be below cosine_ceiling (\(ceiling))")]
    }

    private let share: Double
    private let floor: Double
    private let width: Double

    package init(_ parameters: ParameterValues) {
        floor = parameters[Self.cosineFloor]
        width = parameters[Self.cosineCeiling] - floor
        share = parameters[Self.share]
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> PhraseSimilarity {
        let offers = try inputs.value(Self.pool).items
        let digest = try inputs.value(Self.digest)
        let index = LexicalIndex(offers)
        let items = offers.map(\.itemID)
        let rows = ItemRows(items)
        var serves = index.coverage(of: digest.serves.map(\.stems))
        Self.withhold(&serves, of: digest.serves, from: offers)
        let matcher = AvoidMatcher(index)
        let longer = offers.compactMap { offer in offer.words.longer.map { (item: offer.itemID, words: $0) } }
        var cosines: PhraseSimilarity.Cosines?
        if let meaning = inputs.value(Self.meaning) {
            if meaning.isKnown {
                var serving = Self.cosines(of: items, with: digest.serves, meaning)
                Self.withhold(&serving, of: digest.serves, from: offers)
                blend(&serves, with: serving, rows: items.map { meaning.row(of: $0) }, count: digest.serves.count)
                var offending = Self.cosines(of: items, with: digest.avoids, meaning)
                for (column, phrase) in digest.avoids.enumerated() {
                    let things = phrase.sparing
                    if phrase.harms.isEmpty, things.isEmpty { continue }
                    let isList = phrase.isList
                    // What it is called says more than what it is near to.
                    for (row, offer) in offers.enumerated()
                    where isList || phrase.isSpared(offer.words.said)
                        || !things.isEmpty && things.allSatisfy({ $0.spares(offer.words.said) })
                    {
                        offending[row * digest.avoids.count + column] = 0
                    }
                }
                cosines = PhraseSimilarity.Cosines(
                    serves: PhraseTable(phrases: digest.serves, rows: rows, values: serving),
                    avoids: PhraseTable(phrases: digest.avoids, rows: rows, values: offending)
                )
            }
        } else {
            context.note("no_embedder", "nobody looked for meaning; candidates were compared by words", degrades: true)
        }
        return PhraseSimilarity(
            serves: PhraseTable(phrases: digest.serves, rows: rows, values: serves),
            avoids: PhraseTable(phrases: digest.avoids, rows: rows, values: matcher.table(for: digest.avoids)),
            spokenAvoids: longer.isEmpty
                ? nil
                : PhraseTable(
                    phrases: digest.avoids,
                    items: longer.map(\.item),
                    values: matcher.table(for: digest.avoids, in: longer.map(\.words))
                ),
            cosines: cosines
        )
    }

    /// "Nut-free bakery box" is nearest to the bakery boxes that are not: only what says that it is without counts as near.
    private static func withhold(_ values: inout [Double], of phrases: [HintDigest.Phrase], from offers: [Offer]) {
        for (column, phrase) in phrases.enumerated() {
            guard let condition = phrase.condition, !condition.lacked.isEmpty else { continue }
            for (row, offer) in offers.enumerated() where !condition.isMet(by: offer.words.said) {
                values[row * phrases.count + column] = 0
            }
        }
    }

    /// For each item, row by row, its cosine with each phrase, no less than 0; all 0 where one of both has no words.
    private static func cosines(
        of items: [ItemID],
        with phrases: [HintDigest.Phrase],
        _ meaning: EmbeddingFeatures
    ) -> [Double] {
        let columns = phrases.map { meaning.column(of: $0.text) }
        var values: [Double] = []
        values.reserveCapacity(items.count * phrases.count)
        for item in items {
            let row = meaning.row(of: item)
            for column in columns {
                guard let row, let column else {
                    values.append(0)
                    continue
                }
                values.append(max(0, meaning.cosine(row, column)))
            }
        }
        return values
    }

    /// The mean of both kinds of nearness: what words and meaning agree on is surer than what one of them says alone.
    ///
    /// An offer that nobody looked at for its meaning came late in the line by its words, and has no more than those.
    private func blend(_ values: inout [Double], with cosines: [Double], rows: [Int?], count: Int) {
        for (item, row) in rows.enumerated() {
            for place in item * count..<(item + 1) * count {
                let nearness = row == nil ? 0 : min(1, max(0, (cosines[place] - floor) / width))
                values[place] += share * (nearness - values[place])
            }
        }
    }
}

/// The tables of a run: what would serve, and what must be avoided.
package struct PhraseSimilarity: Sendable {
    /// How near an offer is in meaning to what it may offend and to what it serves.
    package struct Cosines: Sendable {
        package let serves: PhraseTable
        package let avoids: PhraseTable
    }

    /// What an offer offends most, and by how much more than it serves anything.
    package struct Offence: Sendable {
        package let phrase: HintDigest.Phrase
        package let cosine: Double
        /// Cosine with what is ruled out, less the cosine with what is served best.
        package let lead: Double
    }

    package let serves: PhraseTable
    package let avoids: PhraseTable
    /// The same by all that an offer says, for those that say more than what counts.
    package var spokenAvoids: PhraseTable?
    /// Nil when there were only words to go by.
    package var cosines: Cosines?

    /// What rules an offer out, by all that it says.
    func ruling(_ item: ItemID) -> PhraseTable {
        spokenAvoids.flatMap { $0.nearness(of: item).isEmpty ? nil : $0 } ?? avoids
    }

    /// What an offer offends most by meaning, some phrases aside; nil without vectors, and where nothing is ruled out.
    package func offence(of item: ItemID, but spared: [Int] = []) -> Offence? {
        guard let cosines, let worst = cosines.avoids.strongest(for: item, but: spared) else { return nil }
        let service = cosines.serves.strongest(for: item, among: .serving)?.nearness ?? 0
        return Offence(phrase: worst.phrase, cosine: worst.nearness, lead: worst.nearness - service)
    }
}

extension PhraseSimilarity: InputFacts {
    package static let input = "relatedness"
}

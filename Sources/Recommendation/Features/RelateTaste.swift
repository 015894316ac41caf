import KnotDomain
package import StageGraph
package import TextEncoding

/// Finds the interests, vibes and love languages of each offer, by the lexicon and by prototypes.
package struct RelateTaste: TransformStage {
    package static let kind = "relate.taste"
    package static let revision = 2
    package static let role = StageRole.relater
    package static let summary = "Finds the interests, vibes and love languages that an offer shows."
    static let pool = InputPort<Pool<Offer>>("pool")
    static let meaning = OptionalPort<EmbeddingFeatures>("meaning")
    static let brief = OptionalPort<Brief>("brief")
    package static let inputs = [pool.declaration, meaning.declaration, brief.declaration]

    static let interestLow = bound("interest_low", 0.15, "an interest begins to show")
    static let interestHigh = bound("interest_high", 0.4, "an interest is evident")
    static let vibeLow = bound("vibe_low", 0.02, "a vibe begins to show")
    static let vibeHigh = bound("vibe_high", 0.15, "a vibe is evident")
    static let languageLow = bound("language_low", 0, "a love language begins to show")
    static let languageHigh = bound("language_high", 0.12, "a love language is evident")
    package static let parameters = [
        interestLow.declaration, interestHigh.declaration, vibeLow.declaration, vibeHigh.declaration,
        languageLow.declaration, languageHigh.declaration,
    ]

    package static func objections(to setting: StageSetting) -> [StageObjection] {
        [(interestLow, interestHigh), (vibeLow, vibeHigh), (languageLow, languageHigh)].compactMap { low, high in
            let (from, to) = (setting.parameters[low], setting.parameters[high])
            guard from >= to else { return nil }
            let field = "parameters." + setting.latest(of: [low.name, high.name])
            return StageObjection(field, "\(low.name) (\(from)) must be below \(high.name) (\(to))")
        }
    }

    private static func bound(_ name: String, _ value: Double, _ what: String) -> Parameter<Double> {
        Parameter(name, default: value, in: -1...1, "Lead over the mean cosine of its kind from which \(what).")
    }

    private let lexicon: Lexicon
    /// True for the shipped lexicon, by which an offer's signs are the same in every run.
    private let keepsSigns: Bool
    private let prototypes: Prototypes
    private let ramps: TasteAffinity.Ramps

    /// Without a lexicon it is the shipped one.
    package init(_ parameters: ParameterValues, lexicon: Lexicon? = nil, prototypes: Prototypes = .shared) {
        self.lexicon = lexicon ?? .shared
        keepsSigns = lexicon == nil
        self.prototypes = prototypes
        ramps = TasteAffinity.Ramps(
            interests: Self.ramp(parameters, Self.interestLow, Self.interestHigh),
            vibes: Self.ramp(parameters, Self.vibeLow, Self.vibeHigh),
            languages: Self.ramp(parameters, Self.languageLow, Self.languageHigh)
        )
    }

    private static func ramp(
        _ parameters: ParameterValues,
        _ low: Parameter<Double>,
        _ high: Parameter<Double>
    ) -> TasteAffinity.Ramp {
        TasteAffinity.Ramp(low: parameters[low], high: parameters[high])
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> TasteFeatures {
        let words = TasteFeatures(wordsOf: try inputs.value(Self.pool).items, lexicon, keepsSigns: keepsSigns)
        guard let meaning = inputs.value(Self.meaning), meaning.isKnown else { return words }
        let vault = inputs.value(Self.brief)?.vault
        let free = ((vault?.likes ?? []) + (vault?.dislikes ?? [])).filter { $0.known == nil }.map(\.name)
        return words.with(affinities(of: words.items, free: free, meaning))
    }

    private func affinities(of items: [ItemID], free: [String], _ meaning: EmbeddingFeatures) -> [TasteAffinity?] {
        let columns = prototypes.ranges.map { $0.compactMap { meaning.column(of: prototypes.texts[$0]) } }
        if columns.contains(where: \.isEmpty) { return [] }
        let own = free.compactMap { name in meaning.column(of: name).map { (name, $0) } }
        return items.map { item in
            guard let row = meaning.row(of: item) else { return nil }
            return TasteAffinity(
                prototypes,
                cosines: columns.map { $0.reduce(-1.0) { max($0, meaning.cosine(row, $1)) } },
                free: Dictionary(own.map { ($0.0, meaning.cosine(row, $0.1)) }) { first, _ in first },
                ramps
            )
        }
    }
}

/// The vocabulary signs of every offer of a pool, by words and, where it is known, by meaning.
package struct TasteFeatures: Sendable {
    private let table: ItemTable
    /// By the items' numbers.
    private let signs: [TasteSigns]
    private let affinities: [TasteAffinity?]

    /// The signs stand in the order of the table's numbers, and so do the affinities where there are any.
    init(_ table: ItemTable, _ signs: [TasteSigns], _ affinities: [TasteAffinity?] = []) {
        precondition(table.count == signs.count, "every item of the pool needs its signs")
        precondition(affinities.isEmpty || affinities.count == signs.count, "every item has an affinity, or none has")
        self.table = table
        self.signs = signs
        self.affinities = affinities
    }

    /// What the words of offers show; signs by the shipped lexicon are kept with the offers.
    init(wordsOf offers: [Offer], _ lexicon: Lexicon = .shared, keepsSigns: Bool = true) {
        var table = ItemTable(capacity: offers.count)
        var signs: [TasteSigns] = []
        signs.reserveCapacity(offers.count)
        var reader = Lexicon.SignReader(lexicon)
        for offer in offers {
            let (number, isNew) = table.insert(offer.itemID)
            let found =
                keepsSigns
                ? offer.study.signs { TasteSigns(of: offer, by: &reader) } : TasteSigns(of: offer, by: &reader)
            if isNew { signs.append(found) } else { signs[number] = found }
        }
        self.init(table, signs)
    }

    var items: [ItemID] { table.items }

    func with(_ affinities: [TasteAffinity?]) -> TasteFeatures { TasteFeatures(table, signs, affinities) }

    package subscript(item: ItemID) -> TasteSigns { table[item].map { signs[$0] } ?? TasteSigns() }

    /// How near an item is to the vocabulary in meaning; nil when there are only words to go by.
    package func affinity(of item: ItemID) -> TasteAffinity? {
        affinities.isEmpty ? nil : table[item].flatMap { affinities[$0] }
    }
}

import KnotDomain
package import StageGraph

/// Gives each of the three its reason, made of evidence alone and checked against it before anyone reads it.
package struct PresentChoices: TransformStage {
    package static let kind = "present.choices"
    package static let revision = 4
    package static let role = StageRole.presenter
    package static let summary = "Writes the reason of each choice from evidence and checks it."
    static let brief = InputPort<Brief>("brief")
    static let checked = InputPort<CheckedSelection<Offer>>("checked")
    static let digest = OptionalPort<HintDigest>("hints")
    static let understanding = OptionalPort<HintUnderstanding>("readings")
    package static let inputs = [
        brief.declaration, checked.declaration, digest.declaration, understanding.declaration,
        relatedness.declaration, taste.declaration,
    ]

    static let relatedness = OptionalPort<PhraseSimilarity>("relatedness")
    static let taste = OptionalPort<TasteFeatures>("taste")

    static let telling = Parameter<Double>(
        "telling",
        default: 0.2,
        in: 0...1,
        "Least contribution of a hint that a reason may name."
    )
    static let beside = Parameter<Double>(
        "beside",
        default: 0.9,
        in: 0...1,
        "Share of the strongest hint's contribution from which a further hint also counts as used."
    )
    static let words = Parameter<Double>(
        "words",
        default: 0.6,
        in: 0...1,
        "Share of a note's words, its object included, that an offer must contain for the note to be named."
    )
    static let meaning = Parameter<Double>(
        "meaning",
        default: 0.5,
        in: 0...1,
        "Cosine between note and offer from which the note may be named."
    )
    package static let parameters = [telling.declaration, beside.declaration, words.declaration, meaning.declaration]

    private let ports: StagePorts
    private let telling: Double
    private let beside: Double
    private let strength: TieFinder.Strength

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        self.ports = ports
        telling = parameters[Self.telling]
        beside = parameters[Self.beside]
        strength = TieFinder.Strength(words: parameters[Self.words], meaning: parameters[Self.meaning])
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> ChoiceOfThree {
        let brief = try inputs.value(Self.brief)
        let checked = try inputs.value(Self.checked)
        for relaxation in checked.relaxations {
            context.note("relaxed_rule", "\(relaxation.rule): \(relaxation.detail)", degrades: true)
        }
        let digest = inputs.value(Self.digest)
        let knowledge = TieFinder.Knowledge(
            digest: digest,
            relatedness: inputs.value(Self.relatedness),
            taste: inputs.value(Self.taste)
        )
        var finder = TieFinder(brief, knowledge, strength, reader: ports.fallback)
        let check = ReasonCheck(brief, digest)
        let set = arranged(checked.standing, brief, in: context)
        var choices: [Choice] = []
        for (index, standing) in (set + checked.further).enumerated() {
            let hints = tellingHints(of: standing.ranked, in: brief)
            let item = standing.ranked.item
            let tie = finder.tie(of: item, hints: hints.map(\.id))
            let evidence = standing.ranked.total.evidence
            let reason = ReasonWriter(brief).reason(for: item, tie: tie, evidence: evidence)
            if let problem = check.problem(with: reason, for: item) {
                throw StageFailure(.stage, code: "untrue_reason", problem)
            }
            choices.append(
                Choice(
                    position: index + 1,
                    ranked: standing.ranked,
                    availability: standing.verdict,
                    budgetCents: item.price.total(of: item.candidate, in: brief.budget, rates: brief.rates),
                    reason: reason.text,
                    neutralReason: reason.neutral,
                    tie: tie,
                    hints: used(by: tie, of: hints)
                )
            )
        }
        return ChoiceOfThree(
            brief: brief,
            choices: Array(choices.prefix(set.count)),
            relaxations: checked.relaxations,
            reader: inputs.value(Self.understanding)?.reader ?? "none",
            further: Array(choices.dropFirst(set.count))
        )
    }

    /// By score, except that what a refresh keeps stands where it stood.
    private func arranged(
        _ standing: [CheckedSelection<Offer>.Standing],
        _ brief: Brief,
        in context: StageContext
    ) -> [CheckedSelection<Offer>.Standing] {
        guard let refresh = brief.refresh, !refresh.kept.isEmpty else { return standing }
        var others = standing.filter { !refresh.keeps($0.ranked.item.candidate.id) }[...]
        var arranged: [CheckedSelection<Offer>.Standing] = []
        let kept = refresh.kept.sorted { $0.position < $1.position }.compactMap { kept in
            let found = standing.first { $0.ranked.item.candidate.id == kept.candidateID }
            if found == nil {
                context.note(
                    "not_kept",
                    "candidate \(kept.candidateID) was to stay and cannot be had any more",
                    degrades: false
                )
            }
            return found.map { (kept.position, $0) }
        }
        for (position, entry) in kept {
            while arranged.count + 1 < position, let next = others.popFirst() { arranged.append(next) }
            arranged.append(entry)
        }
        return arranged + others
    }

    /// The hints that counted enough to be told, the strongest first.
    private func tellingHints(of ranked: Ranked<Offer>, in brief: Brief) -> [(id: HintID, weight: Double)] {
        ranked.total.evidence.filter { $0.kind == "hint" && $0.weight >= telling }
            .sorted { ($0.weight, $1.ref) > ($1.weight, $0.ref) }
            .compactMap { evidence in
                brief.vault.hints.first { $0.id.text == evidence.ref }.map { ($0.id, evidence.weight) }
            }
    }

    /// The hint that a card is about, and perhaps one that counted as much: no other has been answered by it.
    private func used(by tie: Tie, of hints: [(id: HintID, weight: Double)]) -> [HintID] {
        guard let told = tie.hint, let most = hints.first?.weight else { return [] }
        return [told] + hints.filter { $0.id != told && $0.weight >= beside * most }.prefix(1).map(\.id)
    }
}

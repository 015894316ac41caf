import KnotDomain
package import StageGraph

/// Gives each of the three its reason, made of evidence alone and checked against it before anyone reads it.
package struct PresentChoices: TransformStage {
    package static let kind = "present.choices"
    package static let role = StageRole.presenter
    package static let summary = "Gives each of the three its reason, made of evidence and checked against it."
    static let brief = InputPort<Brief>("brief")
    static let checked = InputPort<CheckedSelection<Offer>>("checked")
    static let digest = OptionalPort<HintDigest>("hints")
    static let understanding = OptionalPort<HintUnderstanding>("readings")
    package static let inputs = [
        brief.declaration, checked.declaration, digest.declaration, understanding.declaration,
    ]

    static let telling = Parameter<Double>(
        "telling",
        default: 0.2,
        in: 0...1,
        "How much a hint must have counted to be told as the reason."
    )
    package static let parameters = [telling.declaration]

    private let telling: Double

    package init(_ parameters: ParameterValues) {
        telling = parameters[Self.telling]
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> ChoiceOfThree {
        let brief = try inputs.value(Self.brief)
        let checked = try inputs.value(Self.checked)
        for relaxation in checked.relaxations {
            context.note("relaxed_rule", "\(relaxation.rule): \(relaxation.detail)", degrades: true)
        }
        var choices: [Choice] = []
        for (index, standing) in checked.standing.enumerated() {
            let hints = tellingHints(of: standing.ranked, in: brief)
            let reason = ReasonWriter(brief).reason(
                for: standing.ranked.item,
                hints: hints,
                evidence: standing.ranked.total.evidence
            )
            if let problem = ReasonCheck(brief).problem(with: reason, for: standing.ranked.item) {
                throw StageFailure(.stage, code: "untrue_reason", problem)
            }
            choices.append(
                Choice(
                    position: index + 1,
                    ranked: standing.ranked,
                    availability: standing.verdict,
                    budgetCents: standing.ranked.item.price.total(
                        of: standing.ranked.item.candidate,
                        in: brief.budget,
                        rates: brief.rates
                    ),
                    reason: reason.text,
                    hints: hints.map(\.id)
                )
            )
        }
        return ChoiceOfThree(
            brief: brief,
            choices: choices,
            relaxations: checked.relaxations,
            reader: inputs.value(Self.understanding)?.reader ?? "none"
        )
    }

    private func tellingHints(of ranked: Ranked<Offer>, in brief: Brief) -> [Hint] {
        ranked.total.evidence.filter { $0.kind == "hint" && $0.weight >= telling }
            .sorted { ($0.weight, $1.ref) > ($1.weight, $0.ref) }
            .prefix(2)
            .compactMap { evidence in brief.vault.hints.first { $0.id.text == evidence.ref } }
    }
}

package import KnotDomain
package import StageGraph

/// Asks one provider for candidates.
package struct SourceProvider: SourceStage {
    package static let kind = "source.provider"
    package static let summary = "Asks one provider for candidates."
    static let plan = InputPort<QueryPlan>("plan")
    package static let inputs = [plan.declaration]

    package static let provider = Parameter<ProviderName>(
        "provider",
        default: .catalogue,
        among: ProviderCapability.wellKnown.map(\.name),
        "Provider to ask."
    )
    static let limit = Parameter<Int>(
        "limit",
        default: 2_000,
        in: 1...10_000,
        "Most candidates to take from one answer, in the provider's order."
    )
    package static let parameters = [provider.declaration, limit.declaration]

    private let parameters: ParameterValues
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        self.parameters = parameters
        self.ports = ports
    }

    package func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Offer] {
        let name = parameters[Self.provider]
        let plan = try inputs.value(Self.plan)
        guard let provider = ports.providers[name],
            let capability = provider.capabilities.first(where: { $0.name == name })
        else {
            let why = "no adapter is connected for \(name.rawValue)"
            throw StageFailure(.provider, code: StageFailure.notConnected, why)
        }
        var query = plan.query(for: capability, limit: parameters[Self.limit])
        query.answerBy = context.answerBy
        let asked = query
        let answer = try await context.effects.perform(.providerSearch, key: asked.json, codec: .answer) {
            () async throws(StageFailure) in
            let found = try await provider.candidates(for: asked)
            return ProviderAnswer(candidates: found, shortfalls: asked.shortfalls.sentences)
        }
        for shortfall in answer.shortfalls {
            context.note("provider_partial", "\(name.rawValue) answered in part: \(shortfall)", degrades: true)
        }
        let unfilled = answer.candidates.count(where: \.isUnfilled)
        let found = unfilled == 0 ? answer.candidates : answer.candidates.filter { !$0.isUnfilled }
        if unfilled > 0 {
            context.note("unfilled_offers", "\(name.rawValue) has \(unfilled) templates as offers", degrades: false)
        }
        if found.count > parameters[Self.limit] {
            context.note(
                "candidates_capped",
                "\(name.rawValue) returned \(found.count) candidates; the first \(parameters[Self.limit]) were taken",
                degrades: false
            )
        }
        return ports.offerCache.offers(for: found.prefix(parameters[Self.limit]), areRead: plan.readsWords)
    }
}

extension Plan {
    /// The providers that its sources ask.
    package var askedProviders: Set<ProviderName> {
        Set(nodes.filter { $0.stage.kind == SourceProvider.kind }.map { $0.parameters[SourceProvider.provider] })
    }
}

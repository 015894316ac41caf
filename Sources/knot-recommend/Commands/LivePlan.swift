import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation

/// `run --live --plan-only`: what the services would be asked, and what it would cost; nothing is sent.
enum LivePlan {
    private struct Asked {
        let provider: ProviderName
        let call: ServiceCall
    }

    static func report(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> TextReport {
        let services = try LiveOutside(context).services.required()
        // The run itself asks, so that what is shown is what would be sent; it has nothing to choose from.
        let collector = QueryCollector(services.map(\.capability))
        let laid: (any VaultLoading) -> any VaultLoading = { LiveVaults($0, providers: [collector]) }
        let service: ChoiceService
        var request: ChoiceRequest
        switch options.subject {
        case .everyVault:
            throw .usage(.run, "--plan-only is for one vault", todo: "leave out --all or --plan-only")
        case .fixture(let fixture):
            let (found, vault) = try ChoiceService.ofFixture(fixture, options.shared, context, through: laid)
            service = found
            request = options.request(for: vault.id, asOf: fixture.asOf)
        case .vault(let id, let vault):
            (service, _) = try await ChoiceService.ofDatabase(vault, options.shared, context, through: laid)
            request = options.request(for: VaultID(id), asOf: vault.asOf)
        }
        // A request that was answered once would be answered again without a question.
        request.name = nil
        request.isDryRun = true
        let made = try await reporting { try await service.prepare(request) }
        guard case .run(let prepared) = made else { return report([]) }
        _ = await service.run(prepared)
        let asked = collector.queries.sorted { $0.provider.rawValue < $1.provider.rawValue }.flatMap { query in
            let service = services.first { $0.capability.name == query.provider }
            return (service?.calls(for: query) ?? []).map { Asked(provider: query.provider, call: $0) }
        }
        return report(asked)
    }

    private static func report(_ asked: [Asked]) -> TextReport {
        let calls = asked.map { one -> JSONValue in
            [
                "provider": .string(one.provider.rawValue), "asks": .string(one.call.asks),
                "cost": .integer(one.call.cost),
            ]
        }
        let cost = asked.reduce(0) { $0 + $1.call.cost }
        let lines = asked.flatMap { one in
            TextLayout.wrapped(TerminalText.safe(one.call.asks), to: 64).enumerated().map { index, line in
                TextLayout.padded(index == 0 ? one.provider.rawValue : "", to: 14) + line
            }
        }
        let sum = "\(asked.count) calls, which count \(cost) against quotas; nothing was sent"
        return TextReport(
            json: ["schema": "knot.asked/1", "calls": .array(calls), "cost": .integer(cost)],
            lines: lines + [sum]
        )
    }
}

import ChoiceService
import Composition
import Console
import KnotDomain
import LiveProviders
import Recommendation
import Verbs

/// `run --live --plan-only`: what the services would be asked, and what it would cost; nothing is sent.
enum LivePlan {
    static func report(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> TextReport {
        let outside = try LiveOutside(context)
        let services = try outside.services.required()
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
        guard case .run(let prepared) = made else { return AskedCalls([]).report }
        _ = await service.run(prepared)
        let asked = collector.queries.sorted { $0.provider.rawValue < $1.provider.rawValue }.flatMap { query in
            let service = services.first { $0.capability.name == query.provider }
            return (service?.calls(for: query) ?? []).map { (query.provider, $0) }
        }
        return AskedCalls(
            asked,
            left: await outside.services.callsLeft(context.environment),
            // One on this machine tells nobody anything.
            embedder: options.shared.model == .remote ? prepared.loaded.embedder?.model : nil
        ).report
    }
}

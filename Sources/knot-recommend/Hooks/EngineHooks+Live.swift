import Recommendation
import StageGraph

extension EngineHooks {
    /// The hooks of this build; a verb whose hook is missing says that it cannot do it yet and exits 69.
    static let live: EngineHooks = {
        let desk = PipelineDesk(shipped: ShippedPipelines(), catalog: StageCatalog.knot)
        var hooks = EngineHooks(pipelines: desk)
        hooks.addChoosing(desk)
        hooks.addExplaining(desk)
        hooks.addJudging(desk)
        hooks.addEvaluating(desk)
        hooks.addDatabase()
        hooks.offers = { (asked, context) async throws(CommandError) in
            switch asked.offer {
            case .vaults: try await StoredVaultDesk.ids(context)
            case .parameters:
                try desk.plan(asked.shared.pipeline, asked.shared).nodes.flatMap { node in
                    node.stage.parameters.map { "\(node.id).\($0.name)=" }
                }
            }
        }
        hooks.doctor = { (options, context) in
            EngineChecks.all(options, desk, context) + [await DatabaseChecks.check(context)]
        }
        return hooks
    }()
}

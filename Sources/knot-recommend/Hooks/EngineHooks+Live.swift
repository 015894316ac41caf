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
        hooks.doctor = { (options, context) in
            EngineChecks.all(options, desk, context) + [await DatabaseChecks.check(context)]
        }
        return hooks
    }()
}

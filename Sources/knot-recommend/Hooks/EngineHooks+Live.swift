import Recommendation
import StageGraph

extension EngineHooks {
    /// The hooks of this build; a verb whose hook is missing says that it cannot do it yet and exits 69.
    static let live: EngineHooks = {
        let desk = PipelineDesk(shipped: ShippedPipelines(), facts: StageCatalog.knot.facts)
        var hooks = EngineHooks(pipelines: desk)
        hooks.addChoosing(desk)
        hooks.addExplaining(desk)
        hooks.addJudging(desk)
        hooks.doctor = { (options, _) in
            // A person's own pipeline is looked at besides the shipped ones.
            let named = ShippedPipelines.names.map(PipelineReference.shipped)
            return (named + (named.contains(options.pipeline) ? [] : [options.pipeline])).map {
                desk.check($0, options)
            }
        }
        return hooks
    }()
}

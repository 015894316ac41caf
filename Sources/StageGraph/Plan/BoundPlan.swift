/// A plan with its stages made: what a runner takes.
package struct BoundPlan: Sendable {
    package let plan: Plan
    let bodies: [NodeBody]
}

extension Plan {
    /// Makes every stage with these ports, cheaply enough to do for each run; throws every stage's objection.
    package func bind<Ports>(_ catalog: StageCatalog<Ports>, ports: Ports) throws(PipelineError) -> BoundPlan {
        var bodies: [NodeBody] = []
        var problems: [PipelineProblem] = []
        for node in nodes {
            do throws(ParameterError) {
                bodies.append(try catalog.make(node.stage.kind, node.parameters, ports))
            } catch {
                let place = node.place.member("parameters").member(error.parameter)
                problems.append(PipelineProblem(place, error.message))
            }
        }
        guard problems.isEmpty else { throw PipelineError(problems) }
        return BoundPlan(plan: self, bodies: bodies)
    }
}

import KnotDomain
import Recommendation
import Shipped

@testable import StageGraph

extension StageCatalog where Ports == StagePorts {
    /// The shipped catalogue with one node's stage replaced by one that goes wrong; all others are the real ones.
    static func with(_ mishap: Mishap, at node: NodeID) -> StageCatalog<StagePorts> {
        var catalog = StageCatalog<StagePorts>()
        for facts in StageCatalog.knot.facts {
            catalog.insert(facts) { (values, ports) in
                let body = StageCatalog.knot.make(facts.kind, values, ports)
                return NodeBody { (inputs, context) async throws(StageFailure) in
                    guard context.node == node else { return try await body.run(inputs, context) }
                    try mishap.failIfMeant("node \(node)")
                    if mishap.isStall { BlockedCall.hold() }
                    let standIn = StandIn.body(for: facts, mishap) ?? body
                    return try await standIn.run(inputs, context)
                }
            }
        }
        return catalog
    }
}

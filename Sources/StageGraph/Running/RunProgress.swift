/// One step of a run, for somebody who watches.
package struct RunProgress: Sendable {
    package enum Step: Sendable, Equatable {
        case started(attempt: Int)
        case ended(NodeState)
    }

    package let node: NodeID
    package let step: Step
}

import StageGraph
import Synchronization

/// Counts how often each node was entered.
final class Visits: Sendable {
    private let counts = Mutex<[NodeID: Int]>([:])

    func count(_ node: NodeID) -> Int {
        counts.withLock { counts in
            counts[node, default: 0] += 1
            return counts[node, default: 0]
        }
    }

    func of(_ node: NodeID) -> Int { counts.withLock { $0[node] ?? 0 } }
}

import Synchronization
import VectorSearch

/// What searches have cost since somebody asked.
final class EffortCounter: Sendable {
    private struct Pairs {
        var scanned = 0
        var rescored = 0
    }

    private let pairs = Mutex(Pairs())

    func add(_ effort: SearchEffort) {
        pairs.withLock {
            $0.scanned += effort.scanned
            $0.rescored += effort.rescored
        }
    }

    func takeShare() -> Double {
        let taken = pairs.withLock { pairs in
            defer { pairs = Pairs() }
            return pairs
        }
        return taken.scanned > 0 ? Double(taken.rescored) / Double(taken.scanned) : 0
    }
}

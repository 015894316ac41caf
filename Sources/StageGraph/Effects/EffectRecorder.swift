import JSONDocument
import Synchronization

/// Collects the effects of one run while they happen.
package final class EffectRecorder: Sendable {
    private let effects = Mutex<[RecordedEffect]>([])

    package init() {}

    /// Takes one effect; used by desks, and by tests that make recordings.
    package func add(_ effect: RecordedEffect) {
        effects.withLock { $0.append(effect) }
    }

    /// What was recorded, in an order that does not depend on which answer came first: by node as given, kind and key.
    package func recorded(inOrderOf nodes: [NodeID]) -> [RecordedEffect] {
        let ranks = Dictionary(nodes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let keyed = effects.withLock { $0 }.enumerated().map { (place: $0, address: $1.address, effect: $1) }
        return keyed.sorted { left, right in
            let ranksOfBoth = (ranks[left.effect.node] ?? .max, ranks[right.effect.node] ?? .max)
            if ranksOfBoth.0 != ranksOfBoth.1 { return ranksOfBoth.0 < ranksOfBoth.1 }
            if left.address.kind != right.address.kind { return left.address.kind.text < right.address.kind.text }
            if left.address.canonicalKey != right.address.canonicalKey {
                return left.address.canonicalKey.lexicographicallyPrecedes(right.address.canonicalKey)
            }
            return left.place < right.place
        }.map(\.effect)
    }
}

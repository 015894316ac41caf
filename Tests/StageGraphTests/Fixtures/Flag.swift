import Synchronization

/// Something that is raised once and seen from every thread.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isUp: Bool { state.load(ordering: .acquiring) }

    func raise() { state.store(true, ordering: .releasing) }
}

import Synchronization

/// What others may know of a connection without waiting for its thread.
final class ConnectionHealth: Sendable {
    private let broken = Atomic(false)
    private let idle = Atomic(true)

    /// True from the moment the connection cannot be used any more.
    var isBroken: Bool { broken.load(ordering: .acquiring) }
    /// True between transactions.
    var isIdle: Bool { idle.load(ordering: .acquiring) }

    func breakDown() { broken.store(true, ordering: .releasing) }
    func setIdle(_ isIdle: Bool) { idle.store(isIdle, ordering: .releasing) }
}

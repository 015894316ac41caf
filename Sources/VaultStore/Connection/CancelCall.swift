import StageGraph
import Synchronization

/// A cancel request under way on a thread of its own, since it blocks while the network does.
final class CancelCall: Sendable {
    private let isDone = Atomic(false)
    private let bell: WakeBell
    private let call: UInt64

    /// Starts at once; the bell rings when the server has taken note.
    init(_ key: WireConnection.CancelKey, bell: WakeBell, call: UInt64) {
        self.bell = bell
        self.call = call
        let started = OwnThread.start {
            key.cancel()
            self.finish()
        }
        if !started { finish() }
    }

    /// Only after this is true may another statement be sent: the request would meet that one instead.
    var hasReturned: Bool { isDone.load(ordering: .acquiring) }

    private func finish() {
        isDone.store(true, ordering: .releasing)
        bell.ring(call)
    }
}

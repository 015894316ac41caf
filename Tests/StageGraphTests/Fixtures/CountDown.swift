import Synchronization

/// Calls back when a number of steps have been made, from whatever threads.
final class CountDown: Sendable {
    private let left: Atomic<Int>
    private let done: @Sendable () -> Void

    init(from count: Int, done: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.done = done
    }

    func step() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done() }
    }
}

import Synchronization
import Threads

/// A wait that ends early when there is something to do, and at once when everything is over.
///
/// Its alarm rings on a thread of its own, so that it is in time even while other tasks keep the shared threads busy.
final class Pause: Sendable {
    private struct State {
        var waiting: CheckedContinuation<Void, Never>?
        /// What came while nobody waited is not lost.
        var isWoken = false
        var isOver = false
    }

    private let timers: DeadlineTimers
    private let state = Mutex(State())

    init(_ timers: DeadlineTimers) {
        self.timers = timers
    }

    /// Waits so long, unless it is woken; one task at a time.
    func wait(_ duration: Duration) async {
        let alarm = timers.call(at: .now + duration) { self.wake() }
        await withCheckedContinuation { continuation in
            // Resumed once: here, or by whoever takes it out of the state.
            let isDue = state.withLock { state in
                if state.isWoken || state.isOver {
                    state.isWoken = false
                    return true
                }
                state.waiting = continuation
                return false
            }
            if isDue { continuation.resume() }
        }
        timers.callOff(alarm)
    }

    func wake() {
        let waiting = state.withLock { state in
            guard let waiting = state.waiting.take() else {
                state.isWoken = true
                return nil as CheckedContinuation<Void, Never>?
            }
            return waiting
        }
        waiting?.resume()
    }

    /// No wait lasts any more.
    func end() {
        state.withLock { $0.isOver = true }
        wake()
    }
}

/// Waits of many tasks at once, all of which end at once when everything is over.
final class Pauses: Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: Pause] = [:]
        var isOver = false
    }

    private let timers = DeadlineTimers()
    private let state = Mutex(State())

    /// A wait of one loop's own, which it can be woken from.
    func pause() -> Pause {
        let pause = Pause(timers)
        let isOver = state.withLock { state in
            state.waiting[ObjectIdentifier(pause)] = pause
            return state.isOver
        }
        if isOver { pause.end() }
        return pause
    }

    func wait(_ duration: Duration) async {
        let pause = pause()
        await pause.wait(duration)
        _ = state.withLock { $0.waiting.removeValue(forKey: ObjectIdentifier(pause)) }
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            return Array(state.waiting.values)
        }
        for pause in waiting { pause.end() }
    }
}

import CPostgres
import Synchronization

/// Wakes the thread of a connection out of its wait for the server, for one call and not for the next one.
final class EventNotifier: Sendable {
    private struct State {
        var call: UInt64 = 0
        var isUnderWay = false
        var isInterrupted = false
    }

    /// Owned: made in `init`, closed in `deinit`; negative when the system had none left.
    let descriptor: Int32
    private let state = Mutex(State())

    init() {
        descriptor = knot_pg_bell_make()
    }

    deinit {
        if descriptor >= 0 { knot_pg_bell_close(descriptor) }
    }

    /// Starts a call and returns its number.
    func begin() -> UInt64 {
        state.withLock { state in
            state.call += 1
            state.isUnderWay = true
            state.isInterrupted = false
            // Under the lock, or a ring for the new call could be silenced with the old one's.
            knot_pg_bell_quiet(descriptor)
            return state.call
        }
    }

    /// Ends a call: who rings for it from now on is not heard.
    func end(_ call: UInt64) {
        state.withLock { state in
            if state.call == call { state.isUnderWay = false }
        }
    }

    /// Wakes the thread, which looks what has changed.
    func ring(_ call: UInt64) {
        state.withLock { state in
            if state.call == call, state.isUnderWay { knot_pg_bell_ring(descriptor) }
        }
    }

    /// Tells the call that nobody wants its answer any more.
    func interrupt(_ call: UInt64) {
        state.withLock { state in
            guard state.call == call, state.isUnderWay else { return }
            state.isInterrupted = true
            knot_pg_bell_ring(descriptor)
        }
    }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// What a thread waits for at a socket.
    enum Readiness: Int32 {
        case reading = 1
        case writing = 2
        case either = 3
    }

    /// Blocks until the socket is ready, the bell rings or the time is over; true for the socket.
    ///
    /// A negative socket waits for the bell alone.
    func wait(socket: Int32, for readiness: Readiness, until limit: ContinuousClock.Instant?) -> Bool {
        var milliseconds: Int32 = -1
        if let limit {
            let left = ContinuousClock.now.duration(to: limit)
            let (seconds, attoseconds) = left.components
            // Rounded up, or the last millisecond would be spent spinning.
            let rounded = min(seconds, 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            milliseconds = left <= .zero ? 0 : Int32(rounded)
        }
        let seen = knot_pg_wait(socket, readiness.rawValue, descriptor, milliseconds)
        if seen & knot_pg_woken != 0 { knot_pg_bell_quiet(descriptor) }
        return seen & knot_pg_ready != 0
    }
}

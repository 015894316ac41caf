import FileInput
import Synchronization
import Threads

extension PostgresConnection {
    /// How long a cancelled statement may take to end before the connection is given up.
    static var cancelGrace: Duration { .seconds(2) }

    enum Ending {
        /// A pipeline ends with its sync.
        case sync
        /// A script ends when there is no further result.
        case noMoreResults
    }

    /// Sends what is queued and collects the results; only a connection that still works comes back from here.
    func answers(
        _ wire: WireConnection,
        until ending: Ending,
        _ limit: CallLimit
    ) throws(PostgresError) -> (results: [WireResult], cause: PostgresError.Code?) {
        var results: [WireResult] = []
        var cancelling: CancelCall?
        var cause: PostgresError.Code?
        var deadline = limit.deadline
        let moment = WaitWatch.moment(after: .now)
        var watch: WaitWatch?
        // It lives for as long as the wait.
        defer { withExtendedLifetime(watch) {} }
        while true {
            let isSending = wire.flush() > 0
            if try collect(wire, until: ending, into: &results) { break }
            if bell.isInterrupted, limit.isCancellable, cause == nil { cause = .cancelled }
            if let deadline, ContinuousClock.now >= deadline, cause == nil { cause = .statementTimeout }
            if let cause, cancelling == nil {
                guard limit.isCancellable, let cancelKey else {
                    throw hangUp(PostgresError(cause, at: target.description))
                }
                cancelling = CancelCall(cancelKey, bell: bell, call: limit.call)
                deadline = .now + Self.cancelGrace
            } else if let cause, let deadline, ContinuousClock.now >= deadline {
                // The server does not even answer a cancel: nobody must wait for this connection any more.
                throw hangUp(PostgresError(cause, at: target.description))
            }
            if let waiting, watch == nil, ContinuousClock.now >= moment {
                watch = WaitWatch(target, process: naming == .unnamed ? nil : backendID, tell: waiting)
            }
            let look = waiting == nil || watch != nil ? nil : moment
            let end = [deadline, look].compactMap(\.self).min()
            if bell.wait(socket: wire.socket, for: isSending ? .either : .reading, until: end) {
                // A broken connection says so in the next result.
                _ = wire.consume()
            }
        }
        if let cancelling { try wait(for: cancelling, until: deadline) }
        return (results, cause)
    }

    /// Takes what has arrived; true at the end.
    private func collect(
        _ wire: WireConnection,
        until ending: Ending,
        into results: inout [WireResult]
    ) throws(PostgresError) -> Bool {
        while !wire.isBusy {
            let result = wire.nextResult()
            if wire.isFailed { throw lost(wire, result.map { results + [$0] } ?? results) }
            guard let result else {
                if ending == .noMoreResults { return true }
                continue
            }
            switch result.kind {
            case .sync: return true
            case .unexpected:
                throw hangUp(
                    PostgresError(
                        .misuse,
                        at: target.description,
                        detail: "the statement copies rows, which is not done here"
                    )
                )
            case .done, .failed, .skipped: results.append(result)
            }
        }
        if wire.isFailed { throw lost(wire, results) }
        return false
    }

    /// The request could otherwise meet the next statement instead of this one.
    private func wait(for cancelling: CancelCall, until deadline: ContinuousClock.Instant?) throws(PostgresError) {
        while !cancelling.hasReturned {
            if let deadline, ContinuousClock.now >= deadline {
                throw hangUp(PostgresError(.cancelled, at: target.description))
            }
            _ = bell.wait(socket: -1, for: .reading, until: deadline)
        }
    }

    /// Closes a connection that broke, and tells why as well as it is known.
    private func lost(_ wire: WireConnection, _ results: [WireResult]) -> PostgresError {
        // A server that goes down says so before it hangs up; libpq's own words have no state.
        let told = results.last { $0.kind == .failed && $0.diagnosis.sqlState != nil && $0.diagnosis.isFatal }
        return hangUp(
            told.map { PostgresError($0.diagnosis, at: target.description) }
                ?? PostgresError(
                    .connectionLost,
                    at: target.description,
                    serverMessage: Secret(wire.errorMessage),
                    detail: "the server closed the connection in the middle of a call"
                )
        )
    }

    /// Closes the connection for good and hands the reason back.
    func hangUp(_ error: PostgresError) -> PostgresError {
        close()
        return error
    }
}

/// How long a call may take, and what its end means.
struct CallLimit {
    let call: UInt64
    let deadline: ContinuousClock.Instant?
    /// False for COMMIT: a cancel does not undo it, so at the deadline the connection is given up instead.
    var isCancellable = true
}

/// A cancel request under way on a thread of its own, since it blocks while the network does.
final class CancelCall: Sendable {
    private let isDone = Atomic(false)
    private let bell: EventNotifier
    private let call: UInt64

    /// Starts at once; the bell rings when the server has taken note.
    init(_ key: WireConnection.CancelKey, bell: EventNotifier, call: UInt64) {
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

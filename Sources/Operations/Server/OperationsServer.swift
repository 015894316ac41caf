import Glibc
import Synchronization
import Threads

/// A small server of HTTP/1.1 on one thread of its own, for those who watch a worker; it reads, and never changes anything.
///
/// Whatever a client does, it holds no more than a few connections of bounded size and time, and whoever is watched never
/// waits for it.
package final class OperationsServer: Sendable {
    /// Called on the server's thread: it must not block.
    package typealias Answering = @Sendable (OperationsRequest) -> OperationsAnswer

    /// Open connections; beyond them the oldest is ended.
    static let mostConnections = 32

    /// Where it listens, with the port it got.
    package let port: Int
    package let address: ListenAddress
    private let inbox: Inbox

    /// What other threads leave for the server's.
    private final class Inbox: Sendable {
        struct Messages: Sendable {
            var events: [[UInt8]] = []
            var isStopped = false
            var isRunning = true
            var streams = 0
        }

        let messages = Mutex(Messages())
        /// A byte in it wakes the thread.
        let wakeEnd: Int32
        let readEnd: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            // The array has room for both.
            guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
            (readEnd, wakeEnd) = (ends[0], ends[1])
        }

        deinit {
            close(readEnd)
            close(wakeEnd)
        }

        func wake() {
            var byte: UInt8 = 1
            // Where the socket is full, the thread is awake already.
            _ = unsafe Glibc.send(wakeEnd, &byte, 1, Int32(MSG_NOSIGNAL))
        }
    }

    package convenience init(
        at address: ListenAddress,
        _ answer: @escaping Answering
    ) throws(OperationsServerError) {
        try self.init(at: address, limits: .init(), answer)
    }

    init(
        at address: ListenAddress,
        limits: OperationsConnection.Limits,
        _ answer: @escaping Answering
    ) throws(OperationsServerError) {
        let (listener, port) = try address.listen()
        guard let inbox = Inbox() else {
            close(listener)
            throw OperationsServerError(address: address, words: "cannot be served: the system has no descriptor left")
        }
        self.address = address
        self.port = port
        self.inbox = inbox
        // The thread holds its parts and not this object, whose end is the thread's end.
        let started = OwnThread.start {
            var loop = ServerLoop(listener, wake: inbox.readEnd, limits, isLoopback: address.isLoopback, answer)
            while let messages = Self.next(inbox, streams: loop.streams) { loop.turn(messages) }
            loop.end()
            inbox.messages.withLock { $0.isRunning = false }
        }
        guard started else {
            close(listener)
            throw OperationsServerError(address: address, words: "cannot be served: the system has no thread left")
        }
    }

    deinit {
        stop()
    }

    /// Lets the thread end, with all connections.
    package func stop() {
        inbox.messages.withLock { $0.isStopped = true }
        inbox.wake()
    }

    /// Adds to every stream that is open.
    package func send(_ event: [UInt8]) {
        inbox.messages.withLock { messages in
            // Nobody is told everything that happened while the thread could not work.
            if messages.events.count >= 16 { messages.events.removeFirst() }
            messages.events.append(event)
        }
        inbox.wake()
    }

    /// Streams that are open.
    package var streams: Int { inbox.messages.withLock { $0.streams } }

    /// Whether the thread still works; false a moment after `stop`.
    var isRunning: Bool { inbox.messages.withLock { $0.isRunning } }

    /// What was left since the last turn; nil at the end.
    private static func next(_ inbox: Inbox, streams: Int) -> [[UInt8]]? {
        inbox.messages.withLock { messages in
            messages.streams = streams
            guard !messages.isStopped else { return nil }
            defer { messages.events = [] }
            return messages.events
        }
    }
}

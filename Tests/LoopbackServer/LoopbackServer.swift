import Glibc
import Synchronization
import Threads

/// A server of HTTP/1.1 on this machine, over plain sockets, which does exactly what it is told, however bad.
///
/// Each connection has a thread; `answer` is called on it and may block. Connections are kept open between requests.
package final class LoopbackServer: Sendable {
    package typealias Answer = @Sendable (LoopbackRequest) -> LoopbackReply

    /// What came so far.
    package struct Counts: Sendable, Equatable {
        package var connections = 0
        package var requests = 0
        /// Bytes that were received, whether they are a request or not.
        package var bytes = 0

        package init() {}
    }

    struct State: Sendable {
        var counts = Counts()
        var requests: [LoopbackRequest] = []
        var open: Set<Int32> = []
        var threads = 0
        var isStopped = false
    }

    /// Where nothing can be listened at.
    package struct NoPort: Error, CustomStringConvertible {
        package let description: String
    }

    /// The port on 127.0.0.1, or on ::1.
    package let port: Int
    /// `http://127.0.0.1:PORT`, or `http://[::1]:PORT`.
    package let url: String
    let answer: Answer
    let state = Monitor(State())
    private let listener: Int32
    /// Requests that are kept to be looked at; the first ones.
    private let kept: Int

    /// `host` is the last part of the address: all that begin with 127 are this machine's, and each is another host to
    /// whoever counts them.
    package init(
        isIPv6: Bool = false,
        host: UInt8 = 1,
        keeping kept: Int = 10_000,
        _ answer: @escaping Answer
    ) throws {
        (listener, port) = try Self.listen(isIPv6: isIPv6, host: host)
        url = isIPv6 ? "http://[::1]:\(port)" : "http://127.0.0.\(host):\(port)"
        self.kept = kept
        self.answer = answer
        // Held by its threads until `stop`, or until whoever made it lets go of it: they hold parts of it only.
        state.withLock { $0.threads = 1 }
        let (state, listener) = (state, listener)
        let started = OwnThread.start { [weak self] in
            Self.accept(at: listener) { self }
            state.withLock { $0.threads -= 1 }
            state.broadcast()
        }
        guard started else { throw NoPort(description: "the system has no thread left") }
    }

    deinit {
        Self.end(state, listener)
    }

    /// Ends every connection and waits until all threads have ended.
    package func stop() {
        Self.end(state, listener)
        state.wait { state in state.threads == 0 ? .done(()) : .sleep(until: nil) }
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// The requests so far, in their order.
    package var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    /// Connections that are open now.
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Waits until no connection is open; false where one still is after so long.
    package func becomesIdle(within patience: Duration = .seconds(1_200)) async -> Bool {
        await waits(patience) { $0.open.isEmpty }
    }

    /// Waits until so many requests have come; false where they have not after so long.
    package func hasSeen(requests: Int, within patience: Duration = .seconds(1_200)) async -> Bool {
        await waits(patience) { $0.counts.requests >= requests }
    }

    /// Waits on a thread of its own: tasks that block would keep those waiting that they wait for.
    private func waits(_ patience: Duration, _ isThere: @escaping @Sendable (State) -> Bool) async -> Bool {
        let end = ContinuousClock.now + patience
        return await withCheckedContinuation { continuation in
            let (state, once) = (state, continuation)
            // Resumed once: by the thread, or here where there is none.
            let started = OwnThread.start {
                let found = state.wait { state in
                    if isThere(state) { return .done(true) }
                    return .now >= end ? .done(false) : .sleep(until: end)
                }
                once.resume(returning: found)
            }
            if !started { once.resume(returning: false) }
        }
    }

    func note(_ request: LoopbackRequest) {
        state.withLock { state in
            state.counts.requests += 1
            if state.requests.count < kept { state.requests.append(request) }
        }
        state.broadcast()
    }

    private static func end(_ state: Monitor<State>, _ listener: Int32) {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            // A descriptor in the set is closed by its own thread, and only after it has left the set.
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
            return !state.isStopped
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    /// Runs on the thread of the listener and closes it at the end.
    private static func accept(at listener: Int32, _ server: () -> LoopbackServer?) {
        defer { close(listener) }
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            // Not for programs that another test starts meanwhile: whoever holds it keeps a reset connection alive.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            guard let server = server() else {
                close(descriptor)
                return
            }
            let number: Int? = server.state.withLock { state in
                guard !state.isStopped else { return nil }
                state.open.insert(descriptor)
                state.threads += 1
                defer { state.counts.connections += 1 }
                return state.counts.connections
            }
            guard let number else {
                close(descriptor)
                return
            }
            let connection = LoopbackConnection(descriptor, number: number, state: server.state)
            let started = OwnThread.start { [weak server] in
                connection.run { server }
                connection.end()
            }
            if !started { connection.end() }
        }
    }

    private static func listen(isIPv6: Bool, host: UInt8) throws -> (descriptor: Int32, port: Int) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        var port: UInt16 = 0
        let isBound: Bool
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            isBound = bound(descriptor, &address)
            port = address.sin6_port
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7f00_0000 | UInt32(host)).bigEndian
            isBound = bound(descriptor, &address)
            port = address.sin_port
        }
        guard descriptor >= 0, isBound else {
            close(descriptor)
            throw NoPort(description: "no port of the loopback can be listened at")
        }
        return (descriptor, Int(UInt16(bigEndian: port)))
    }

    /// Binds and listens, and leaves the port in the address.
    private static func bound<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
        var size = socklen_t(MemoryLayout<Address>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            // Every kind of address is one of the forms of a socket address, and its size is given.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && Glibc.listen(descriptor, 512) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
    }
}

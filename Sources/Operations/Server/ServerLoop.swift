import Glibc

/// The sockets of a server and what is done about each; used by the server's thread alone.
struct ServerLoop: ~Copyable {
    private let listener: Int32
    private let wake: Int32
    private let limits: OperationsConnection.Limits
    private let isLoopback: Bool
    private let answer: OperationsServer.Answering
    /// When connections are taken again, where the system had none to give.
    private var acceptsAgain: ContinuousClock.Instant?
    /// In the order in which they came.
    private var connections: [(descriptor: Int32, connection: OperationsConnection)] = []

    init(
        _ listener: Int32,
        wake: Int32,
        _ limits: OperationsConnection.Limits,
        isLoopback: Bool,
        _ answer: @escaping OperationsServer.Answering
    ) {
        self.listener = listener
        self.wake = wake
        self.limits = limits
        self.isLoopback = isLoopback
        self.answer = answer
    }

    var streams: Int { connections.count { $0.connection.phase == .streaming } }

    /// Tells streams what there is to tell, waits for the next thing to happen, and does it.
    mutating func turn(_ events: [[UInt8]]) {
        for event in events {
            for place in connections.indices { connections[place].connection.send(event) }
        }
        for place in connections.indices where !connections[place].connection.output.isEmpty { write(place) }
        sweep()
        let ready = wait()
        let now = ContinuousClock.now
        for place in connections.indices {
            let events = ready[place]
            if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 { read(place, at: now) }
            connections[place].connection.look(at: now)
            if !connections[place].connection.output.isEmpty { write(place) }
        }
        sweep()
        accept(at: now)
    }

    /// Closes everything.
    mutating func end() {
        // The listener first: whoever sees a connection end finds nobody listening any more.
        close(listener)
        for (descriptor, _) in connections { close(descriptor) }
        connections = []
    }

    /// Blocks until something has happened; returns what happened to each connection.
    private func wait() -> [Int16] {
        var entries = connections.map { descriptor, connection in
            let events = (connection.reads ? POLLIN : 0) | (connection.output.isEmpty ? 0 : POLLOUT)
            return pollfd(fd: descriptor, events: Int16(events), revents: 0)
        }
        // A negative descriptor is passed over.
        entries.append(pollfd(fd: acceptsAgain == nil ? listener : -1, events: Int16(POLLIN), revents: 0))
        entries.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
        var milliseconds: Int32 = -1
        if let first = (connections.map(\.connection.deadline) + [acceptsAgain].compactMap(\.self)).min() {
            let left = ContinuousClock.now.duration(to: first)
            milliseconds = left <= .zero ? 0 : Int32(min(3_600_000, left / .milliseconds(1))) + 1
        }
        let count = nfds_t(entries.count)
        // As many entries as are counted, alive for the call; where it fails nothing has happened.
        guard unsafe poll(&entries, count, milliseconds) > 0 else { return [Int16](repeating: 0, count: entries.count) }
        if entries[entries.count - 1].revents != 0 { drain() }
        return entries.map(\.revents)
    }

    /// Takes the bytes that woke the thread.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 64)
        // The call writes at most as many bytes as the buffer has.
        while unsafe recv(wake, &buffer, 64, 0) == 64 {}
    }

    private mutating func accept(at now: ContinuousClock.Instant) {
        if let acceptsAgain, now < acceptsAgain { return }
        acceptsAgain = nil
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                // Without a descriptor left, the connection stays where it is, and the socket ready.
                if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { acceptsAgain = now + .milliseconds(200) }
                return
            }
            let flags = fcntl(descriptor, F_GETFL)
            guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            else {
                close(descriptor)
                continue
            }
            if connections.count >= OperationsServer.mostConnections {
                let oldest = connections.firstIndex { $0.connection.phase != .streaming } ?? 0
                close(connections.remove(at: oldest).descriptor)
            }
            connections.append((descriptor, OperationsConnection(limits, at: now)))
        }
    }

    private mutating func read(_ place: Int, at now: ContinuousClock.Instant) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // The call writes at most as many bytes as the buffer has.
        let count = unsafe recv(connections[place].descriptor, &buffer, 4_096, 0)
        if count > 0 {
            let (isLoopback, answer) = (isLoopback, answer)
            connections[place].connection.take(Array(buffer.prefix(count)), at: now) {
                request throws(OperationsRequest.Refusal) in
                // A page of somebody else's whose name was turned to this machine asks under its own name.
                if isLoopback {
                    guard let host = request.host else { throw .badRequest }
                    guard ListenAddress("\(host.lowercased()):0")?.isLoopback == true else { throw .misdirected }
                }
                return answer(request)
            }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            connections[place].connection.end()
        }
    }

    private mutating func write(_ place: Int) {
        let descriptor = connections[place].descriptor
        // The bytes outlive the call, which reads as many as are counted.
        let count = unsafe connections[place].connection.output.withUnsafeBytes {
            unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 {
            connections[place].connection.sent(count, at: .now)
            if connections[place].connection.phase == .closing { shutdown(descriptor, Int32(SHUT_WR)) }
        } else if errno != EAGAIN, errno != EINTR {
            connections[place].connection.end()
        }
    }

    /// Closes what is over.
    private mutating func sweep() {
        for place in connections.indices.reversed() where connections[place].connection.phase == .over {
            close(connections.remove(at: place).descriptor)
        }
    }
}

import Glibc
import Synchronization
package import Worker

/// Tells the service manager how a worker is: `READY`, `WATCHDOG`, `STATUS` and `STOPPING`, one datagram each.
///
/// The watchdog is fed by what the worker's loop does and by nothing else: a timer would go on when the loop no longer does.
package final class ServiceNotifier: WorkerObserver {
    private struct State {
        var isReady = false
        var fed: ContinuousClock.Instant?
        var status = ""
        var completed = 0
        var failed = 0
        var held = 0
    }

    /// The variables by which a service manager says how to reach it.
    package static let environment = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

    private let socket: NotifySocket
    /// Half of what the manager waits; nil where it does not watch.
    private let feeding: Duration?
    private let isAlive: @Sendable () -> Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// Nil where no service manager waits for word.
    ///
    /// - Parameters:
    ///   - environment: Where `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are looked for.
    ///   - isAlive: Asked before the watchdog is fed.
    ///   - now: The time, which a test moves.
    package init?(
        _ environment: [String: String],
        isAlive: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path) else { return nil }
        self.socket = socket
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        feeding = isForUs && microseconds > 0 ? .microseconds(microseconds / 2) : nil
        self.isAlive = isAlive
        self.now = now
    }

    package func saw(_ event: WorkerEvent) {
        let lines = lines(about: event)
        if !lines.isEmpty { socket.send(lines.joined(separator: "\n")) }
    }

    private func lines(about event: WorkerEvent) -> [String] {
        switch event {
        case .claimed(_, let held): return doing("working", held: held, isClaim: true)
        case .renewed: return doing("working", held: nil, isClaim: false)
        case .queueFailed(let code): return doing("the queue does not answer: \(code)", held: nil, isClaim: false)
        case .became(.draining): return ["STOPPING=1", "STATUS=finishing what is held"]
        case .became(.stopped): return ["STOPPING=1", "STATUS=stopped"]
        case .became(.working): return ["STATUS=waiting for the first claim"]
        case .ended(let ending):
            state.withLock { state in
                if ending.outcome == .completed { state.completed += 1 }
                if ending.outcome == .dead { state.failed += 1 }
            }
            return []
        case .rescued, .leaseLost, .zoneUnknown, .commitUnknown, .handedOver: return []
        }
    }

    private func doing(_ words: String, held: Int?, isClaim: Bool) -> [String] {
        let (isAlive, now) = (isAlive(), now())
        return state.withLock { state in
            var lines: [String] = []
            if isClaim, !state.isReady {
                state.isReady = true
                lines.append("READY=1")
            }
            if let feeding, isAlive, state.fed.map({ $0.duration(to: now) >= feeding / 2 }) ?? true {
                state.fed = now
                lines.append("WATCHDOG=1")
            }
            if let held { state.held = held }
            let status = "\(words); \(state.held) held, \(state.completed) delivered, \(state.failed) put aside"
            if status != state.status {
                state.status = status
                lines.append("STATUS=\(status)")
            }
            return lines
        }
    }
}

/// The socket that a service manager listens at.
private struct NotifySocket: Sendable {
    private let path: [UInt8]

    /// A path, or a name that begins with `@`, which has no file.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard let first = bytes.first, first == 0x2F || first == 0x40, bytes.count > 1, bytes.count < 108 else {
            return nil
        }
        if first == 0x40 { bytes[0] = 0 }
        path = bytes
    }

    /// Sends one datagram; a manager that does not take it is not waited for.
    func send(_ text: String) {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path has fewer bytes than the address takes.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(text.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            // A Unix address is one of the forms of a socket address, and its size is given.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bytes.withUnsafeBytes {
                    unsafe sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), address, size)
                }
            }
        }
    }
}

import Glibc
import Synchronization
package import Threads

/// Finds the addresses of a name.
package protocol NameResolver: Sendable {
    /// All addresses, the preferred first; none where the name has none.
    func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress]
}

/// The system's resolver, asked on threads of our own, which are left to themselves once nobody waits for them.
package final class SystemResolver: NameResolver {
    private typealias Answer = Result<[IPAddress], HTTPFailure>

    /// Whoever waits for an answer: resumed once, by the thread, by the timer, or by the caller who gives up.
    private final class Waiter: Sendable {
        private let continuation = Mutex<CheckedContinuation<Answer, Never>?>(nil)

        func wait(_ continuation: CheckedContinuation<Answer, Never>) {
            self.continuation.withLock { $0 = continuation }
        }

        func finish(_ answer: Answer) {
            continuation.withLock { $0.take() }?.resume(returning: answer)
        }
    }

    private let timers: DeadlineTimers
    /// Threads at work, those that nobody waits for among them.
    private let underWay = Mutex(0)
    private let most: Int

    package init(timers: DeadlineTimers, most: Int = 16) {
        self.timers = timers
        self.most = most
    }

    package func addresses(
        of name: String,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> [IPAddress] {
        let isFree = underWay.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        guard isFree else { throw HTTPFailure(.overloaded, host: name, "too many names are being resolved") }
        let waiter = Waiter()
        let answer: Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                let alarm = timers.call(at: deadline) {
                    waiter.finish(.failure(HTTPFailure(.timeout, host: name, "its name was not resolved in time")))
                }
                let started = OwnThread.start { [self] in
                    let found = Self.lookUp(name)
                    underWay.withLock { $0 -= 1 }
                    timers.callOff(alarm)
                    waiter.finish(found)
                }
                if !started {
                    underWay.withLock { $0 -= 1 }
                    waiter.finish(.failure(HTTPFailure(.unavailable, host: name, "the system has no thread left")))
                }
                if Task.isCancelled { waiter.finish(.failure(HTTPFailure(.cancelled, host: name, ""))) }
            }
        } onCancel: {
            waiter.finish(.failure(HTTPFailure(.cancelled, host: name, "")))
        }
        return try answer.get()
    }

    /// Blocks for as long as the system takes.
    private static func lookUp(_ name: String) -> Answer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        // The name ends with a zero, the hints outlive the call, and the list is freed below.
        let result = unsafe getaddrinfo(name, nil, &hints, &list)
        guard result == 0 else {
            // A name that is not there has no address; anything else may be different a moment later.
            let isMissing = result == EAI_NONAME
            return isMissing ? .success([]) : .failure(HTTPFailure(.connect, host: name, "its name cannot be resolved"))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe address(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let pointer = unsafe entry.ai_addr else { return nil }
        switch unsafe entry.ai_family {
        case AF_INET:
            // The family says which form the address has.
            let address = unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe $0.pointee }
            return .v4(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            var address = unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { unsafe $0.pointee }
            // Sixteen bytes are two numbers of eight.
            return unsafe withUnsafeBytes(of: &address.sin6_addr) { bytes in
                let halves = [0, 8].map { unsafe bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
                return .v6(UInt64(bigEndian: halves[0]), UInt64(bigEndian: halves[1]))
            }
        default: return nil
        }
    }
}

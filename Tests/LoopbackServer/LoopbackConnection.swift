import Glibc
import Threads

/// One connection of a loopback server, on a thread of its own.
final class LoopbackConnection: Sendable {
    private let descriptor: Int32
    private let number: Int
    private let state: Monitor<LoopbackServer.State>

    /// Far above what any test sends.
    private static let mostBytes = 64 << 20

    init(_ descriptor: Int32, number: Int, state: Monitor<LoopbackServer.State>) {
        self.descriptor = descriptor
        self.number = number
        self.state = state
        var isOn: Int32 = 1
        // The value outlives the call, which copies it.
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads requests and answers them until the connection ends.
    func run(_ server: () -> LoopbackServer?) {
        var buffer: [UInt8] = []
        while let request = nextRequest(&buffer) {
            let reply = server().map { server in
                server.note(request)
                return server.answer(request)
            }
            guard let reply else { return }
            for step in reply.steps {
                guard perform(step, isHead: request.method == "HEAD") else { return }
            }
        }
    }

    /// Closes the connection and says that its thread ends.
    func end() {
        state.withLock { state in
            state.open.remove(descriptor)
            close(descriptor)
            state.threads -= 1
        }
        state.broadcast()
    }

    /// False where the connection is over.
    private func perform(_ step: LoopbackReply.Step, isHead: Bool) -> Bool {
        switch step {
        case .bytes(let bytes): return write(isHead ? Self.headOnly(bytes) : bytes)
        case .pause(let pause): return rest(until: .now + pause)
        case .drip(let bytes, let pause):
            return bytes.allSatisfy { rest(until: .now + pause) && write([$0]) }
        case .endless(let bytes):
            while write(bytes) {}
            return false
        case .hang:
            _ = rest(until: nil)
            return false
        case .close: return false
        case .reset:
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            // The value outlives the call, which copies it.
            _ = unsafe setsockopt(
                descriptor,
                SOL_SOCKET,
                SO_LINGER,
                &linger,
                socklen_t(MemoryLayout<Glibc.linger>.size)
            )
            return false
        }
    }

    /// An answer to HEAD has no body: bytes that are no head are left out.
    private static func headOnly(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: Array("HTTP/".utf8)) ? bytes : []
    }

    /// Does nothing until the instant; false where the client goes or the server stops before.
    private func rest(until end: ContinuousClock.Instant?) -> Bool {
        while true {
            var milliseconds: Int32 = 60_000
            if let end {
                let left = ContinuousClock.now.duration(to: end)
                if left <= .zero { return true }
                milliseconds = Int32(min(60_000, Int(left / .milliseconds(1)) + 1))
            }
            // POLLRDHUP, which the header hides from Swift: the other side has ended or the server shut it down.
            var entry = pollfd(fd: descriptor, events: Int16(0x2000), revents: 0)
            // One entry, alive for the call.
            let count = unsafe poll(&entry, 1, milliseconds)
            if count > 0 || count < 0 && errno != EINTR { return false }
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The bytes outlive the call, which reads as many as are counted.
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The next request, whose bytes leave the buffer; nil at the end of the connection, or where it makes no sense.
    private func nextRequest(_ buffer: inout [UInt8]) -> LoopbackRequest? {
        while true {
            if let end = Self.endOfHead(buffer) {
                let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
                let words = lines.first?.split(separator: " ") ?? []
                guard words.count == 3 else { return nil }
                let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
                    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    guard parts.count == 2 else { return nil }
                    let value = parts[1].drop { $0 == " " }
                    return (parts[0].lowercased(), String(value))
                }
                let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
                let rest = end + 4
                if buffer.count >= rest + length {
                    let body = Array(buffer[rest..<rest + length])
                    buffer.removeFirst(rest + length)
                    return LoopbackRequest(
                        method: String(words[0]),
                        target: String(words[1]),
                        headers: headers,
                        body: body,
                        connection: number
                    )
                }
            }
            guard buffer.count < Self.mostBytes, let piece = read() else { return nil }
            buffer += piece
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }

    private func read() -> [UInt8]? {
        var count = 0
        let size = 1 << 16
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            // The call writes at most the buffer's own size.
            count = unsafe Glibc.read(descriptor, buffer.baseAddress, size)
            filled = max(0, count)
        }
        guard count > 0 else { return nil }
        state.withLock { $0.counts.bytes += count }
        return piece
    }
}

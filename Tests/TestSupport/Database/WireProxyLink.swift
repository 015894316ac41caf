import Glibc
import Synchronization

/// One client's line to the server, on a thread of its own.
final class WireProxyLink: Sendable {
    private let client: Int32
    private let server: Int32
    private let proxy: WireProxy

    init(client: Int32, server: Int32, proxy: WireProxy) {
        self.client = client
        self.server = server
        self.proxy = proxy
    }

    func end() {
        close(client)
        close(server)
    }

    /// Carries bytes both ways until one side hangs up or the line breaks.
    func run() {
        defer { end() }
        proxy.state.withLock { $0.counts.connections += 1 }
        var reader = WireMessageReader()
        var hasServerSpoken = true
        var fault: WireProxy.Fault?
        var isMute = false
        let fuse = proxy.drawFuse()
        var left = Int.max
        var commits = 0
        if case .bytes(let count) = fuse { left = count }
        while !proxy.state.withLock({ $0.isCut }) {
            if proxy.state.withLock({ $0.isSilent }) {
                usleep(20_000)
                continue
            }
            var watched = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            // A look now and then is how a cut from outside is noticed.
            guard unsafe poll(&watched, 2, 20) >= 0 || errno == EINTR else { return }
            if watched[0].revents != 0 {
                guard let chunk = LoopbackSocket.read(client) else { return }
                if hasServerSpoken { proxy.state.withLock { $0.counts.roundTrips += 1 } }
                hasServerSpoken = false
                left -= chunk.count
                if left < 0 {
                    // As much of it as the fuse allows.
                    _ = LoopbackSocket.write(Array(chunk.dropLast(-left)), to: server)
                    return proxy.countCut()
                }
                for (message, bytes) in reader.take(chunk[...]) {
                    count(message)
                    if isCommit(message) { commits += 1 }
                    if isCommit(message), case .commit(commits, let new) = fuse {
                        proxy.countCut()
                        if new == .cutBeforeCommit { return }
                        fault = new
                    }
                    if isCommit(message), proxy.holdCommit() { return }
                    if isCommit(message), let new = proxy.takeFault() {
                        if new == .cutBeforeCommit { return }
                        fault = new
                    }
                    guard LoopbackSocket.write(bytes, to: server) else { return }
                }
            }
            if watched[1].revents != 0 {
                guard let chunk = LoopbackSocket.read(server) else { return }
                hasServerSpoken = true
                left -= chunk.count
                if left < 0 {
                    _ = LoopbackSocket.write(Array(chunk.dropLast(-left)), to: client)
                    return proxy.countCut()
                }
                // The server answers a COMMIT only when it is done.
                if fault == .cutAfterCommit { return }
                if fault == .silenceAfterCommit { isMute = true }
                if !isMute, !LoopbackSocket.write(chunk, to: client) { return }
            }
        }
    }

    private func isCommit(_ message: WireMessageReader.Message) -> Bool {
        switch message {
        case .execute(let text), .query(let text): text.lowercased().hasPrefix("commit")
        default: false
        }
    }

    private func count(_ message: WireMessageReader.Message) {
        proxy.state.withLock { state in
            switch message {
            case .sync: state.counts.syncs += 1
            case .query:
                state.counts.syncs += 1
                state.counts.executions += 1
            case .execute: state.counts.executions += 1
            case .parse: state.counts.parses += 1
            case .cancel: state.counts.cancels += 1
            case .startup, .question, .other: break
            }
        }
    }
}

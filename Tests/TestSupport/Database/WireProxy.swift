import Dispatch
import Glibc
import Synchronization
import Threads

/// Stands between a client and a server on the loopback, counts what they say, and breaks the line when told to.
package final class WireProxy: Sendable {
    /// How the line breaks; the first COMMIT that comes by uses it up.
    package enum Fault: Sendable, Equatable {
        /// COMMIT never reaches the server.
        case cutBeforeCommit
        /// The server has committed, the client never hears of it.
        case cutAfterCommit
        /// The server has committed, and the line stays open without a word.
        case silenceAfterCommit
    }

    /// What is done while a COMMIT is held back; true where it shall never reach the server.
    package typealias Interlude = @Sendable () async -> Bool

    struct State {
        var interlude: Interlude?
        var storm: WireStorm?
        var counts = WireCounts()
        var fault: Fault?
        var isCut = false
        /// Lines stay open, and nothing comes through.
        var isSilent = false
        var isStopped = false
    }

    /// The port on 127.0.0.1 that clients connect to.
    package let port: Int
    let state = Mutex(State())
    /// One COMMIT is held at a time: another one that comes meanwhile waits, since it may be the one that is to be lost.
    private let turn = DispatchSemaphore(value: 1)
    private let listener: Int32

    /// Listens, and brings whoever comes to the server's Unix socket of that path.
    package init(to serverSocket: String) throws {
        let (listener, port) = try LoopbackSocket.listen()
        self.listener = listener
        self.port = port
        let started = OwnThread.start { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                // Not for programs that another test starts meanwhile: whoever holds it keeps a line alive that was cut.
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                guard let self, let server = LoopbackSocket.connect(path: serverSocket) else {
                    close(client)
                    continue
                }
                let link = WireProxyLink(client: client, server: server, proxy: self)
                if !OwnThread.start({ link.run() }) { link.end() }
            }
        }
        guard started else { throw DatabaseTestError("the system has no thread left") }
    }

    deinit {
        // Wakes the thread that accepts, whose next call fails.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The URL of a database through this proxy.
    package func url(database: String, user: String = "knot") -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/\(database)?sslmode=disable&gssencmode=disable"
    }

    /// What was counted so far over all connections.
    package var counts: WireCounts { state.withLock { $0.counts } }

    /// Breaks the line at the next COMMIT.
    package func breakLine(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// Holds the next COMMIT back and does something meanwhile; then cuts the line, or hands it on and waits for another.
    package func insteadOfCommit(_ interlude: @escaping Interlude) { state.withLock { $0.interlude = interlude } }

    private static let executor = StageExecutor(threads: 1)

    /// True where a COMMIT is not to reach the server; the interlude is over then.
    func holdCommit() -> Bool {
        turn.wait()
        defer { turn.signal() }
        let interlude = state.withLock { state in
            defer { state.interlude = nil }
            return state.interlude
        }
        guard let interlude else { return false }
        let isOver = DispatchSemaphore(value: 0)
        let isLost = Mutex(false)
        // Waited for here, on a thread that belongs to this line alone; done on another, since tests that compute keep the
        // shared ones busy for longer than a command waits.
        Task(executorPreference: Self.executor) {
            let answer = await interlude()
            isLost.withLock { $0 = answer }
            isOver.signal()
        }
        isOver.wait()
        if isLost.withLock({ $0 }) { return true }
        state.withLock { $0.interlude = interlude }
        return false
    }

    /// Breaks new lines by themselves from now on, or no more.
    package func storm(_ storm: WireStorm?) { state.withLock { $0.storm = storm } }

    /// Where a new line breaks by itself, if it does.
    func drawFuse() -> WireStorm.Fuse? { state.withLock { $0.storm?.draw() } }

    func countCut() { state.withLock { $0.counts.cuts += 1 } }

    /// Cuts every connection now and refuses new ones until `mend`.
    package func cut() { state.withLock { $0.isCut = true } }
    package func mend() { state.withLock { $0.isCut = false } }

    /// Swallows everything from now on, as a network does that is gone: no line ends, and nobody hears a word.
    package func fallSilent() { state.withLock { $0.isSilent = true } }
    /// Lets through what came meanwhile, and what comes.
    package func speakAgain() { state.withLock { $0.isSilent = false } }

    /// The fault, once.
    func takeFault() -> Fault? {
        state.withLock { state in
            defer { state.fault = nil }
            return state.fault
        }
    }
}

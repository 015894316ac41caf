import Synchronization

/// Where lines of spans go: a file or an endpoint.
package protocol SpanCarrier: Sendable {
    /// Hands over spans in one document by the deadline, and returns how many of them did not arrive.
    func carry(_ document: [UInt8], spans: Int, by deadline: ContinuousClock.Instant) async -> Int
}

/// Takes spans from whoever works and hands them on from a task of its own: nobody waits for it, and what there is no room
/// for is lost and counted.
package final class SpanExporter: SpanSink {
    package struct Limits: Sendable {
        /// Spans that wait at most.
        package var waiting = 8_192
        /// Spans of one document.
        package var together = 512
        /// How long fewer wait for others.
        package var patience = Duration.seconds(1)
        /// For handing over one document.
        package var carrying = Duration.seconds(10)

        package init() {}
    }

    /// What became of spans so far.
    package struct Counts: Sendable, Equatable {
        package var exported = 0
        package var lost = 0
    }

    private struct State {
        var waiting: [Span] = []
        var counts = Counts()
        var isOver = false
        /// Whoever waits for the first span, or for more of them.
        var sleeper: CheckedContinuation<Void, Never>?

        /// Whoever is to be woken, who is then nobody else's.
        mutating func takeSleeper() -> CheckedContinuation<Void, Never>? {
            defer { sleeper = nil }
            return sleeper
        }
    }

    private let document: SpanDocument
    private let carrier: any SpanCarrier
    private let limits: Limits
    private let state = Mutex(State())

    package init(_ resource: SpanDocument.Resource, to carrier: any SpanCarrier, _ limits: Limits = Limits()) {
        document = SpanDocument(resource)
        self.carrier = carrier
        self.limits = limits
    }

    package var counts: Counts { state.withLock { $0.counts } }

    package func take(_ spans: [Span]) {
        let sleeper: CheckedContinuation<Void, Never>? = state.withLock { state in
            let room = max(0, limits.waiting - state.waiting.count)
            state.waiting += spans.prefix(room)
            state.counts.lost += max(0, spans.count - room)
            guard state.waiting.count >= limits.together else { return nil }
            return state.takeSleeper()
        }
        // Resumed once: whoever took it out of the state resumes it.
        sleeper?.resume()
    }

    /// Hands spans on until `finish`, and then what is left; run by one task.
    package func run() async {
        while true {
            let spans = await next()
            if spans.isEmpty { return }
            let end = ContinuousClock.now + limits.carrying
            let lost = await carrier.carry(document.bytes(spans), spans: spans.count, by: end)
            state.withLock { state in
                state.counts.lost += min(lost, spans.count)
                state.counts.exported += max(0, spans.count - lost)
            }
        }
    }

    /// Lets `run` end when everything that waits is handed on.
    package func finish() {
        let sleeper = state.withLock { state in
            state.isOver = true
            return state.takeSleeper()
        }
        sleeper?.resume()
    }

    /// Counts as lost what is still waiting.
    package func giveUp() {
        state.withLock { state in
            state.counts.lost += state.waiting.count
            state.waiting = []
        }
        finish()
    }

    /// The next spans, as soon as there are many or some have waited; none at the end.
    private func next() async -> [Span] {
        if !isReady { await sleep() }
        return state.withLock { state in
            let spans = Array(state.waiting.prefix(limits.together))
            state.waiting.removeFirst(spans.count)
            return spans
        }
    }

    private var isReady: Bool { state.withLock { $0.isOver || $0.waiting.count >= limits.together } }

    /// Until there is something to hand on: woken by many spans, by the end, or by the clock where a few have waited.
    private func sleep() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                repeat {
                    do { try await ContinuousClock().sleep(for: limits.patience) } catch { return }
                } while state.withLock { $0.waiting.isEmpty }
                let sleeper = state.withLock { $0.takeSleeper() }
                sleeper?.resume()
            }
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    let isAwake = state.isOver || state.waiting.count >= limits.together
                    if !isAwake { state.sleeper = continuation }
                    return isAwake
                }
                if isAwake { continuation.resume() }
            }
            group.cancelAll()
        }
    }
}

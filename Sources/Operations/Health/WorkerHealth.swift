package import Worker

/// Whether a worker lives and whether it is ready, out of what it was seen to do.
///
/// A process that is there and does nothing is the failure that nobody notices: only its loop's own doings count as life.
package struct WorkerHealth: Sendable, Hashable {
    package struct Limits: Sendable, Hashable {
        /// The loop does something that often, whatever happens: thrice its longest pause.
        package var silence: Duration
        /// A queue that has not answered for so long is not only restarting.
        package var outage: Duration

        package init(silence: Duration = .seconds(60), outage: Duration = .seconds(300)) {
            self.silence = silence
            self.outage = outage
        }
    }

    /// What was looked at, and why it is not as it should be.
    package struct Finding: Sendable, Hashable {
        package let name: String
        /// Nil where all is well.
        package let trouble: String?

        package init(_ name: String, _ trouble: String?) {
            self.name = name
            self.trouble = trouble
        }
    }

    private let limits: Limits
    private let start: ContinuousClock.Instant
    private(set) var phase: WorkerEvent.Phase?
    private(set) var lastClaim: ContinuousClock.Instant?
    private var lastDoing: ContinuousClock.Instant
    /// Why the queue did not answer the last time; nil where it did.
    private var queueTrouble: String?
    /// What others found, by name: the schema, the zones.
    private var obstacles: [String: String] = [:]

    package init(_ limits: Limits = Limits(), at now: ContinuousClock.Instant) {
        self.limits = limits
        start = now
        lastDoing = now
    }

    package mutating func note(_ event: WorkerEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .became(let phase):
            self.phase = phase
            lastDoing = now
        case .claimed:
            (lastClaim, lastDoing, queueTrouble) = (now, now, nil)
        // With all places taken nothing is claimed for a while; the queue answers all the same.
        case .renewed: (lastClaim, lastDoing, queueTrouble) = (lastClaim.map { _ in now }, now, nil)
        case .queueFailed(let code):
            (lastDoing, queueTrouble) = (now, code)
        // Jobs end on other tasks than the loop's.
        case .rescued, .leaseLost, .zoneUnknown, .commitUnknown, .handedOver, .ended: break
        }
    }

    /// Notes what keeps the worker from being ready, or that it no longer does.
    package mutating func note(obstacle: String?, of name: String) {
        obstacles[name] = obstacle
    }

    /// Whether the loop goes on: the one thing that a restart mends.
    package func liveness(at now: ContinuousClock.Instant) -> [Finding] {
        let silence = lastDoing.duration(to: now)
        let isSilent = silence > limits.silence && phase != .stopped
        var findings = [
            Finding("loop", isSilent ? "it has done nothing for \(silence.components.seconds) s" : nil)
        ]
        let since = (lastClaim ?? start).duration(to: now)
        let isCutOff = since > limits.outage && phase == .working
        findings.append(
            Finding("queue", isCutOff ? "it has not answered for \(since.components.seconds) s" : nil)
        )
        return findings
    }

    /// Whether jobs are taken now.
    package func readiness(at now: ContinuousClock.Instant) -> [Finding] {
        let working: String? =
            switch phase {
            case nil: "it has not begun"
            case .working: nil
            case .draining: "it takes nothing more and stops"
            case .stopped: "it has stopped"
            }
        let queue = queueTrouble.map { "the last claim failed: \($0)" } ?? (lastClaim == nil ? "no claim yet" : nil)
        let others = obstacles.sorted { $0.key < $1.key }.map { Finding($0.key, $0.value) }
        return [Finding("phase", working), Finding("claim", queue)] + liveness(at: now) + others
    }

    /// Whether the supervisor may be told that all goes well.
    package func isAlive(at now: ContinuousClock.Instant) -> Bool {
        liveness(at: now).allSatisfy { $0.trouble == nil }
    }
}

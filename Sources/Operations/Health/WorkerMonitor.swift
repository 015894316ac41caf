import JSONDocument
import Synchronization
package import Worker

/// Sees what a worker does, and answers those who ask how it is: `/livez`, `/readyz`, `/metrics`.
package final class WorkerMonitor: WorkerObserver {
    /// What the queue holds, as it was last counted.
    package struct QueueLevels: Sendable, Hashable {
        /// Jobs by state.
        package let jobs: [String: Int]
        /// Jobs that are due and wait.
        package let due: Int
        /// How long the oldest of them has waited.
        package let oldestDue: Duration

        package init(jobs: [String: Int], due: Int, oldestDue: Duration) {
            self.jobs = jobs
            self.due = due
            self.oldestDue = oldestDue
        }
    }

    /// What became of the spans that were drawn so far.
    package struct SpanCounts: Sendable, Hashable {
        package let exported: Int
        package let lost: Int

        package init(exported: Int, lost: Int) {
            self.exported = exported
            self.lost = lost
        }
    }

    private struct State {
        var counters = WorkerCounters()
        var health: WorkerHealth
        var levels: QueueLevels?
        /// Asked whenever somebody asks for figures; nil where no spans are drawn.
        var spans: (@Sendable () -> SpanCounts)?
    }

    /// Names and versions of what runs: `knot_build_info`, `knot_tzdata_info`.
    private let versions: [String: String]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    package init(
        versions: [String: String],
        limits: WorkerHealth.Limits = .init(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.versions = versions
        self.now = now
        state = Mutex(State(health: WorkerHealth(limits, at: now())))
    }

    package func saw(_ event: WorkerEvent) {
        let now = now()
        state.withLock { state in
            state.counters.count(event)
            state.health.note(event, at: now)
        }
    }

    /// Notes what the queue holds.
    package func saw(_ levels: QueueLevels) {
        state.withLock { $0.levels = levels }
    }

    /// Tells from now on what becomes of spans, too.
    package func ask(spans: @escaping @Sendable () -> SpanCounts) {
        state.withLock { $0.spans = spans }
    }

    /// Notes what keeps the worker from being ready, or that it no longer does.
    package func saw(obstacle: String?, of name: String) {
        state.withLock { $0.health.note(obstacle: obstacle, of: name) }
    }

    /// Whether the supervisor may be told that all goes well.
    package var isAlive: Bool {
        let now = now()
        return state.withLock { $0.health.isAlive(at: now) }
    }

    /// Answers one of the three paths; nil for any other.
    package func answer(_ request: OperationsRequest) -> OperationsAnswer? {
        let now = now()
        let state = state.withLock { $0 }
        switch request.path {
        case "/livez": return Self.answer(state.health.liveness(at: now))
        case "/readyz": return Self.answer(state.health.readiness(at: now))
        case "/metrics":
            let text = MetricsText.text(families(state, at: now))
            return OperationsAnswer(type: MetricsText.type, body: Array(text.utf8))
        default: return nil
        }
    }

    private static func answer(_ findings: [WorkerHealth.Finding]) -> OperationsAnswer {
        let isFine = findings.allSatisfy { $0.trouble == nil }
        var checks = JSONObject()
        for finding in findings { checks[finding.name] = .string(finding.trouble ?? "ok") }
        let json: JSONValue = ["status": isFine ? "ok" : "failing", "checks": .object(checks)]
        let body = JSONWriter.bytes(json) + [0x0A]
        return OperationsAnswer(isFine ? 200 : 503, type: "application/json", body: body)
    }

    private func families(_ state: State, at now: ContinuousClock.Instant) -> [MetricFamily] {
        var families = state.counters.families
        if let claim = state.health.lastClaim {
            let age = claim.duration(to: now) / .seconds(1)
            families.append(MetricFamily("knot_last_claim_age_seconds", .gauge, "Since the queue last answered.", age))
        }
        families.append(
            MetricFamily(
                "knot_worker_phase",
                .gauge,
                "1 for what the worker does now.",
                by: "phase",
                Dictionary(
                    uniqueKeysWithValues: WorkerEvent.Phase.allCases.map {
                        ($0.rawValue, $0 == state.health.phase ? 1 : 0)
                    }
                )
            )
        )
        if let levels = state.levels {
            let oldest = levels.oldestDue / .seconds(1)
            families += [
                MetricFamily("knot_queue_jobs", .gauge, "Jobs in the queue, by state.", by: "state", levels.jobs),
                MetricFamily("knot_jobs_due", .gauge, "Jobs that are due and wait.", Double(levels.due)),
                MetricFamily("knot_oldest_due_seconds", .gauge, "How long the oldest due job has waited.", oldest),
            ]
        }
        if let spans = state.spans?() {
            let (exported, lost) = (Double(spans.exported), Double(spans.lost))
            families += [
                MetricFamily("knot_spans_exported_total", .counter, "Spans that were handed on.", exported),
                MetricFamily("knot_spans_lost_total", .counter, "Spans that nobody took or had room for.", lost),
            ]
        }
        families += versions.sorted { $0.key < $1.key }.map { name, version in
            let label = MetricFamily.Sample.Label(name: "version", value: version)
            return MetricFamily(name, .gauge, "The version of what runs.", [.init(labels: [label], value: 1)])
        }
        return families + ProcessFigures.families
    }
}

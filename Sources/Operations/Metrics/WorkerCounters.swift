package import Worker

/// What a worker has come to since it began, as numbers that only grow.
package struct WorkerCounters: Sendable, Hashable {
    private(set) var endings: [String: Int] = Dictionary(
        uniqueKeysWithValues: JobEnding.Outcome.allCases.map { ($0.rawValue, 0) }
    )
    private(set) var deaths = BoundedTally()
    private(set) var retries = BoundedTally()
    private(set) var handovers: [String: [String: Int]] = [:]
    private(set) var handoverFailures = BoundedTally()
    private(set) var queueFailures = BoundedTally()
    private(set) var claims = 0
    private(set) var claimed = 0
    private(set) var held = 0
    private(set) var rescued = 0
    private(set) var rescuedDead = 0
    private(set) var leasesLost = 0
    private(set) var commitsUnknown = 0
    private(set) var took = Histogram()
    private(set) var waited = Histogram()
    private(set) var handed = Histogram()

    package init() {}

    package mutating func count(_ event: WorkerEvent) {
        switch event {
        case .became, .renewed: break
        case .claimed(let jobs, let held):
            claims += 1
            claimed += jobs
            self.held = held
        case .queueFailed(let code): queueFailures.count(code)
        case .rescued(let jobs, let dead):
            rescued += jobs
            rescuedDead += dead
        case .leaseLost: leasesLost += 1
        case .zoneUnknown: break
        case .commitUnknown: commitsUnknown += 1
        case .handedOver(let handover):
            handovers[handover.way, default: [:]][handover.result, default: 0] += 1
            if let code = handover.code { handoverFailures.count(code) }
            handed.count(handover.took)
        case .ended(let ending):
            endings[ending.outcome.rawValue, default: 0] += 1
            if ending.outcome == .dead { deaths.count(ending.code ?? "unnamed") }
            if ending.outcome == .retried { retries.count(ending.code ?? "unnamed") }
            took.count(ending.took)
            waited.count(ending.waited)
        }
    }

    /// All of them, in a fixed order.
    package var families: [MetricFamily] {
        [
            MetricFamily("knot_jobs_total", .counter, "Attempts at jobs, by how they ended.", by: "outcome", endings),
            MetricFamily("knot_dead_letter_total", .counter, "Jobs put aside, by cause.", by: "code", deaths.counts),
            MetricFamily(
                "knot_retries_total",
                .counter,
                "Jobs tried again later, by cause.",
                by: "code",
                retries.counts
            ),
            MetricFamily("knot_job_duration_seconds", "From the claim of a job to the end of the attempt.", took),
            MetricFamily("knot_job_wait_seconds", "From the moment a job was due to its claim.", waited),
            MetricFamily("knot_claims_total", .counter, "Claims that the queue answered.", Double(claims)),
            MetricFamily("knot_claimed_jobs_total", .counter, "Jobs that were claimed.", Double(claimed)),
            MetricFamily("knot_held_jobs", .gauge, "Jobs held after the last claim.", Double(held)),
            MetricFamily(
                "knot_queue_failures_total",
                .counter,
                "Times the queue could not be asked, by cause.",
                by: "code",
                queueFailures.counts
            ),
            MetricFamily("knot_rescues_total", .counter, "Jobs whose lease had run out.", Double(rescued)),
            MetricFamily(
                "knot_rescued_dead_total",
                .counter,
                "Jobs put aside because workers died of them.",
                Double(rescuedDead)
            ),
            MetricFamily("knot_leases_lost_total", .counter, "Jobs that another worker took over.", Double(leasesLost)),
            MetricFamily(
                "knot_commit_unknown_total",
                .counter,
                "Commits of which nobody could be asked how they ended.",
                Double(commitsUnknown)
            ),
            MetricFamily("knot_notices_total", .counter, "Notices handed over, by way and result.", notices),
            MetricFamily(
                "knot_notice_failures_total",
                .counter,
                "Notices that were not delivered, by cause.",
                by: "code",
                handoverFailures.counts
            ),
            MetricFamily("knot_notice_duration_seconds", "How long handing a notice over took.", handed),
        ]
    }

    private var notices: [MetricFamily.Sample] {
        handovers.sorted { $0.key < $1.key }.flatMap { way, results in
            results.sorted { $0.key < $1.key }.map { result, count in
                MetricFamily.Sample(
                    labels: [.init(name: "way", value: way), .init(name: "result", value: result)],
                    value: Double(count)
                )
            }
        }
    }
}

/// Counts by a word, of which there are never more than so many: what comes after them counts as `other`.
struct BoundedTally: Sendable, Hashable {
    static let mostWords = 64
    private(set) var counts: [String: Int] = [:]

    mutating func count(_ word: String) {
        let isKnown = counts[word] != nil || counts.count < Self.mostWords
        counts[isKnown ? word : "other", default: 0] += 1
    }
}

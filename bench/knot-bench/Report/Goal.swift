/// One thing that was promised: what is measured, what it should reach, and what it must reach.
struct Goal {
    enum Unit {
        /// How many times as fast.
        case times
        /// A share of one of the machine's limits.
        case share
        /// How many times as long; less is better.
        case atMostTimes
        /// Milliseconds; less is better.
        case atMostMilliseconds
    }

    struct Finding {
        let value: Double
        /// The share of the limit that binds, where the value is not one itself.
        var share: String = ""
        var note: String = ""
    }

    let id: String
    let workload: String
    let unit: Unit
    let target: Double
    /// What the issue asks for at the very least.
    let minimum: Double?
    let find: (Evidence) -> Finding?

    private var lessIsBetter: Bool {
        switch unit {
        case .times, .share: false
        case .atMostTimes, .atMostMilliseconds: true
        }
    }

    func isMet(_ value: Double, bound: Double) -> Bool { lessIsBetter ? value <= bound : value >= bound }

    func text(_ value: Double) -> String {
        switch unit {
        case .times, .atMostTimes: "\(Statistics.fixed(value, decimals: 2))×"
        case .share: "\(Statistics.fixed(value * 100, decimals: 1)) %"
        case .atMostMilliseconds: "\(Statistics.text(value, digits: 3)) ms"
        }
    }

    private func demand(_ bound: Double) -> String { (lessIsBetter ? "≤ " : "≥ ") + text(bound) }

    /// The row of the table.
    func line(_ evidence: Evidence) -> String {
        let demands = "| \(id) | \(workload) | \(demand(target)) | \(minimum.map(demand) ?? "") |"
        guard let found = find(evidence) else { return "\(demands) not measured | | | |" }
        return "\(demands) \(text(found.value)) | \(found.share) | \(verdict(found.value)) | \(found.note) |"
    }

    private func verdict(_ value: Double) -> String {
        if isMet(value, bound: target) { return "met" }
        let missing = Statistics.fixed(abs(value - target) / target * 100, decimals: 1)
        let least = minimum.map { isMet(value, bound: $0) ? ", minimum met" : ", minimum missed" } ?? ""
        return "missed by \(missing) %\(least)"
    }
}

/// The targets of the performance sheet that are gated, and what the issue asks for besides.
enum Goals {
    static var all: [Goal] { scans + batches + floatsAlone + manySmall + twoThreads + filters + files }

    private static let ours = "CANDIDATE int8+rerank exact"

    private static var scans: [Goal] {
        [
            peer("T1", "W1", 1, 100_000, target: 4.3, minimum: 4), limit("T1", "W1", 1, 100_000, target: 0.9),
            peer("T1", "W1", 1, 1_000_000, target: 4.3, minimum: 4), limit("T1", "W1", 1, 1_000_000, target: 0.9),
            peer("T2", "W1", 1, 10_000, target: 7), peer("T2", "W1", 1, 1_000, target: 4),
        ]
    }

    private static var batches: [Goal] {
        [
            peer("T3", "W2", 256, 100_000, target: 4.3, minimum: 4.2), limit("T3", "W2", 256, 100_000, target: 0.88),
            peer("T3", "W2", 256, 1_000_000, target: 4.5, minimum: 4.2),
            limit("T3", "W2", 256, 1_000_000, target: 0.88),
            peer("T4", "W2", 64, 100_000, target: 7.5, minimum: 6), peer("T4", "W2", 64, 1_000_000, target: 10),
            peer("T5", "W2", 64, 2_000, target: 4), peer("T5", "W2", 256, 2_000, target: 2.2),
        ]
    }

    private static var floatsAlone: [Goal] {
        [
            limit("T6", "W2", 256, 1_000_000, target: 0.96, minimum: 0.95, path: "floats"),
            limit("T6", "W1", 1, 1_000_000, target: 0.95, minimum: 0.95, path: "floats"),
        ]
    }

    private static var manySmall: [Goal] {
        [
            peer("T7", "W3a", 2, 40, target: 1.3, minimum: 1.25, ours: "CANDIDATE f32", label: "best batched peer") {
                !$0.isLoop
            },
            peer("T7", "W3a", 2, 40, target: 1.85, ours: "CANDIDATE f32", label: "best peer in a loop") { $0.isLoop },
            limit("T7", "W3a", 2, 40, target: 0.93),
            peer("T8", "W3b", 70, 500, target: 1.6, minimum: 1.4, ours: "CANDIDATE f32"),
            limit("T8", "W3b", 70, 500, target: 0.85),
        ]
    }

    private static var twoThreads: [Goal] {
        [
            speedup(256, 1_000_000, target: 1.9), speedup(256, 100_000, target: 1.9),
            limit("T9", "W1", 1, 1_000_000, target: 0.95, threads: 2),
        ]
    }

    private static var filters: [Goal] {
        ["random", "contiguous"].map { spread in
            Goal(
                id: "filter",
                workload: "1 query, 50 % of the rows allowed, \(spread), against all",
                unit: .atMostTimes,
                target: 1.2,
                minimum: 1.2
            ) { evidence in
                let row = evidence.rows.first { $0.workload == "filter.1" && $0.name == "50 % \(spread)" }
                return row?.timesReference.map { Goal.Finding(value: $0) }
            }
        }
    }

    private static var files: [Goal] {
        [
            Goal(
                id: "file",
                workload: "opening a mapped file of 1,000,000 rows",
                unit: .atMostMilliseconds,
                target: 50,
                minimum: 50
            ) { evidence in
                let row = evidence.rows.first { $0.workload == "file" && $0.name == "open" && $0.rows == 1_000_000 }
                return row.map { Goal.Finding(value: $0.milliseconds) }
            }
        ]
    }

    /// The harness' name of a workload begins so.
    private static func harnessName(_ workload: String, _ queries: Int, _ rows: Int) -> String {
        switch workload {
        case "W3a", "W3b": workload + " "
        default: "\(workload) \(queries)x\(rows)"
        }
    }

    private static func peer(
        _ id: String,
        _ workload: String,
        _ queries: Int,
        _ rows: Int,
        target: Double,
        minimum: Double? = nil,
        ours: String = Goals.ours,
        label: String = "best peer",
        among: @escaping (PeerRow) -> Bool = { _ in true }
    ) -> Goal {
        Goal(
            id: id,
            workload: "\(name(workload, queries, rows)), against the \(label)",
            unit: .times,
            target: target,
            minimum: minimum
        ) { evidence in
            let found = harnessName(workload, queries, rows)
            guard let ratio = evidence.peers?.ratio(found, ours: ours, among: among) else { return nil }
            let share = evidence.row(workload, queries: queries, rows: rows)?.share
            let times = "\(milliseconds(ratio.own)) against \(milliseconds(ratio.others)) of \(ratio.peer)"
            return Goal.Finding(
                value: ratio.value,
                share: share.map { "\(Statistics.fixed($0 * 100, decimals: 0)) %" } ?? "",
                note: ratio.isExact == false ? "NOT EXACT; \(times)" : times
            )
        }
    }

    private static func limit(
        _ id: String,
        _ workload: String,
        _ queries: Int,
        _ rows: Int,
        target: Double,
        minimum: Double? = nil,
        path: String? = nil,
        threads: Int = 1
    ) -> Goal {
        let words = [path == "floats" ? "f32 alone" : nil, threads > 1 ? "\(threads) threads" : nil].compactMap(\.self)
        return Goal(
            id: id,
            workload: ([name(workload, queries, rows)] + words).joined(separator: ", ") + ", share of the limit",
            unit: .share,
            target: target,
            minimum: minimum
        ) { evidence in
            let candidates = evidence.rows.filter {
                $0.workload == workload && $0.queries == queries && $0.rows == rows && $0.threads == threads
                    && (path == "floats" ? $0.isFloatsAlone : $0.isDefault)
            }
            guard let row = candidates.first, let share = row.share, let limit = row.limit, let rate = row.limitRate
            else { return nil }
            let kind = Limit(rawValue: limit)
            return Goal.Finding(
                value: share,
                note: "\(kind?.label ?? limit): \(Statistics.text(rate)) \(kind?.unit ?? ""); "
                    + "\(row.kernel), \(milliseconds(row.milliseconds / 1_000))"
            )
        }
    }

    private static func speedup(_ queries: Int, _ rows: Int, target: Double) -> Goal {
        Goal(
            id: "T9",
            workload: "\(name("W2", queries, rows)), 2 threads against 1",
            unit: .times,
            target: target,
            minimum: nil
        ) { evidence in
            guard let row = evidence.row("W2", queries: queries, rows: rows, threads: 2),
                let ratio = row.timesReference
            else { return nil }
            return Goal.Finding(
                value: 1 / ratio,
                share: row.share.map { "\(Statistics.fixed($0 * 100, decimals: 0)) %" } ?? "",
                note: "\(row.kernel), \(milliseconds(row.milliseconds / 1_000))"
            )
        }
    }

    private static func name(_ workload: String, _ queries: Int, _ rows: Int) -> String {
        switch workload {
        case "W3a": "many vaults of 40 rows × 2 queries"
        case "W3b": "many dense 500 × 70 tables"
        default: "\(queries) × \(rows)"
        }
    }

    private static func milliseconds(_ seconds: Double) -> String { "\(Statistics.text(seconds * 1_000)) ms" }
}

package import JSONDocument
package import Worker

extension WorkerSummary {
    private var ordered: [(name: String, count: Int)] {
        JobEnding.Outcome.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    /// What a worker has done, in one line.
    package var line: String {
        let parts = ordered.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        let jobs = all == 1 ? "1 job" : "\(all) jobs"
        return parts.isEmpty ? "nothing was due" : "\(jobs): " + parts.joined(separator: ", ")
    }

    /// The same for programs: `knot.work/1`.
    package var json: JSONValue {
        var outcomes = JSONObject()
        for (name, count) in ordered { outcomes[name] = .integer(count) }
        var reasons = JSONObject()
        for (code, count) in codes.sorted(by: { $0.key < $1.key }) { reasons[code] = .integer(count) }
        return [
            "schema": "knot.work/1", "jobs": .integer(all), "outcomes": .object(outcomes), "codes": .object(reasons),
        ]
    }
}

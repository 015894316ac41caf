import JSONDocument

/// The times of one contender in one race, and what they are shares and multiples of.
struct Measurement {
    let workload: String
    let name: String
    let kernel: String
    let path: String
    let threads: Int
    let queries: Int
    let rows: Int
    let seconds: [Double]
    /// The limit that binds, its median rate, and the median over rounds of least time / time.
    let limit: (limit: Limit, rate: Double, share: Double)?
    let reference: String?
    /// The median over rounds of this contender's time / the reference's.
    let timesReference: Double?
    let role: ContenderRole?
    let facts: [(String, JSONValue)]

    init(
        race: Race,
        contender: Contender,
        seconds: [Double],
        rates: [[Limit: Double]],
        referenceSeconds: [Double]?
    ) {
        workload = race.workload
        queries = race.queries
        rows = race.rows
        name = contender.name
        kernel = contender.kernel
        path = contender.path
        threads = contender.threads
        self.seconds = seconds
        reference = contender.reference
        role = contender.role
        facts = contender.facts()
        timesReference = referenceSeconds.flatMap { Statistics.median(zip(seconds, $0).map { $0 / $1 }) }
        let rounds = zip(seconds, rates).compactMap { time, rates in
            contender.work.least(rates).map { (limit: $0.limit, rate: rates[$0.limit] ?? 0, share: $0.seconds / time) }
        }
        if let first = rounds.first, let rate = Statistics.median(rounds.map(\.rate)),
            let share = Statistics.median(rounds.map(\.share))
        {
            limit = (first.limit, rate, share)
        } else {
            limit = nil
        }
    }

    var milliseconds: (median: Double, p95: Double, least: Double) {
        (
            (Statistics.median(seconds) ?? 0) * 1_000, (Statistics.quantile(seconds, 0.95) ?? 0) * 1_000,
            (seconds.min() ?? 0) * 1_000
        )
    }

    var json: JSONValue {
        let time = milliseconds
        var members: [(String, JSONValue)] = [
            ("workload", .string(workload)), ("name", .string(name)), ("kernel", .string(kernel)),
            ("path", .string(path)), ("threads", .integer(threads)), ("queries", .integer(queries)),
            ("rows", .integer(rows)), ("rounds", .integer(seconds.count)),
            ("median_ms", .number(Statistics.rounded(time.median))), ("p95_ms", .number(Statistics.rounded(time.p95))),
            ("min_ms", .number(Statistics.rounded(time.least))),
        ]
        if let role { members.append(("role", .string(role.rawValue))) }
        if let limit {
            members += [
                ("limit", .string(limit.limit.rawValue)),
                ("limit_rate", .number(Statistics.rounded(limit.rate * 1e-9))),
                ("share_of_limit", .number(Statistics.rounded(limit.share))),
            ]
        }
        if let reference, let timesReference {
            members += [
                ("reference", .string(reference)), ("times_reference", .number(Statistics.rounded(timesReference))),
            ]
        }
        return .object(JSONObject((members + facts).map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }

    static let header =
        "contender".padded(34) + "median ms".leading(12) + "p95".leading(12) + "min".leading(12)
        + "of limit".leading(10) + "×ref".leading(8)

    var line: String {
        let time = milliseconds
        return name.padded(34) + Statistics.text(time.median).leading(12) + Statistics.text(time.p95).leading(12)
            + Statistics.text(time.least).leading(12)
            + (limit.map { "\(Int(($0.share * 100).rounded())) % \($0.limit.rawValue)" } ?? "").leading(14)
            + (timesReference.map { Statistics.text($0, digits: 3) } ?? "").leading(8)
    }
}

import JSONDocument

/// The machine's limits at three moments of a run, so that a drift is seen.
struct LimitTable {
    enum Moment: String, CaseIterable {
        case before, middle, after
    }

    private struct Row {
        let limit: Limit
        let threads: Int
        var rates: [Moment: Double] = [:]
    }

    private var rows: [Row] = Set([1, Machine.cores]).sorted().flatMap { threads in
        Limit.allCases.map { Row(limit: $0, threads: threads) }
    }

    /// The median of five, for each limit and thread count.
    mutating func measure(_ moment: Moment, _ probe: borrowing LimitProbe) {
        for index in rows.indices {
            var rates: [Double] = []
            for _ in 0..<5 {
                if let rate = probe.rate(rows[index].limit, threads: rows[index].threads) { rates.append(rate) }
            }
            rows[index].rates[moment] = Statistics.median(rates)
        }
    }

    var lines: [JSONValue] {
        rows.map { row in
            var members: [JSONObject.Member] = [
                .init(name: "workload", value: "limit"), .init(name: "limit", value: .string(row.limit.rawValue)),
                .init(name: "threads", value: .integer(row.threads)),
                .init(name: "unit", value: .string(row.limit.unit)),
            ]
            for moment in Moment.allCases {
                let rate = row.rates[moment].map { Statistics.rounded($0 * 1e-9) }
                members.append(.init(name: moment.rawValue, value: JSONValue(rate)))
            }
            return .object(JSONObject(members))
        }
    }

    func show() {
        print(
            "\nlimit".padded(34) + "threads".leading(8) + "before".leading(10) + "middle".leading(10)
                + "after".leading(10)
        )
        for row in rows {
            let rates = Moment.allCases.map { row.rates[$0].map { Statistics.text($0 * 1e-9) } ?? "none" }
            print(
                row.limit.label.padded(33) + "\(row.threads)".leading(8) + rates.map { $0.leading(10) }.joined()
                    + "  \(row.limit.unit)"
            )
        }
    }
}

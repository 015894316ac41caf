/// Times contenders in turns, with the machine's limits measured among them, so that every ratio is one of neighbours.
///
/// On a shared machine speeds drift by a third within minutes. A ratio of two medians from different minutes says
/// nothing; the median of ratios within rounds does.
struct Race {
    let workload: String
    let queries: Int
    let rows: Int
    let contenders: [Contender]

    struct Pace {
        var rounds = 11
        /// Calls shorter than this are repeated until they fill it.
        var leastSeconds = 0.02
        /// A contender that has taken this long leaves; it stays for three rounds at least, if they take below a minute.
        var budgetSeconds = 8.0
    }

    func run(pace: Pace, probe: borrowing LimitProbe) throws -> [Measurement] {
        let clock = ContinuousClock()
        var samples = [[Double]](repeating: [], count: contenders.count)
        var rates: [[LimitAtThreads: Double]] = []
        var repetitions = [Int](repeating: 1, count: contenders.count)
        for (index, contender) in contenders.enumerated() {
            // The first run also makes what is kept from then on, such as an index.
            try contender.run()
            let seconds = try clock.measure(contender.run) / .seconds(1)
            repetitions[index] = max(1, Int(pace.leastSeconds / max(seconds, 1e-7)))
        }
        for round in 0..<pace.rounds {
            rates.append(measuredLimits(probe))
            for (index, contender) in contenders.enumerated() {
                let spent = samples[index].reduce(0, +) * Double(repetitions[index])
                if spent > pace.budgetSeconds, round >= 3 || spent > 20 { continue }
                if contender.threads > 1 { try wake(contender, clock) }
                let times = repetitions[index]
                let took = try clock.measure { for _ in 0..<times { try contender.run() } }
                samples[index].append(took / .seconds(1) / Double(times))
            }
        }
        return contenders.enumerated().map { index, contender in
            let reference = contenders.firstIndex { $0.name == contender.reference }.map { samples[$0] }
            return Measurement(
                race: self,
                contender: contender,
                seconds: samples[index],
                rates: rates.map { round in
                    var own: [Limit: Double] = [:]
                    for (key, rate) in round where key.threads == contender.threads { own[key.limit] = rate }
                    return own
                },
                referenceSeconds: reference
            )
        }
    }

    private struct LimitAtThreads: Hashable {
        let limit: Limit
        let threads: Int
    }

    private func measuredLimits(_ probe: borrowing LimitProbe) -> [LimitAtThreads: Double] {
        var found: [LimitAtThreads: Double] = [:]
        for contender in contenders {
            for limit in contender.work.limits {
                let key = LimitAtThreads(limit: limit, threads: contender.threads)
                if found[key] == nil { found[key] = probe.rate(limit, threads: contender.threads) }
            }
        }
        return found
    }

    /// An idle virtual core takes milliseconds to come back: it is woken before the clock starts.
    private func wake(_ contender: Contender, _ clock: ContinuousClock) throws {
        let start = clock.now
        repeat { try contender.run() } while clock.now - start < .milliseconds(15)
    }
}

import JSONDocument

/// Where the time of runs goes, summed over vaults: they overlap where several are under way.
struct BatchTimes: Sendable {
    var reading = Duration.zero
    /// For a turn.
    var waiting = Duration.zero
    var choosing = Duration.zero
    var storing = Duration.zero

    mutating func add(_ other: BatchTimes) {
        reading += other.reading
        waiting += other.waiting
        choosing += other.choosing
        storing += other.storing
    }

    private func means(of count: Int) -> [(name: String, milliseconds: Double)] {
        [("reading", reading), ("waiting", waiting), ("choosing", choosing), ("storing", storing)].map { name, time in
            (name, Self.milliseconds(time) / Double(max(1, count)))
        }
    }

    /// One sentence.
    func line(of count: Int, in whole: Duration) -> String {
        let parts = means(of: count).map { "\($0.name) \(Self.text($0.milliseconds)) ms" }.joined(separator: ", ")
        let rate = Double(count) / max(0.001, Self.milliseconds(whole) / 1_000)
        return "\(Self.text(rate)) vaults a second; of each, \(parts)"
    }

    /// The whole, and the means of a vault.
    func json(of count: Int, in whole: Duration) -> JSONValue {
        let parts = means(of: count).map {
            JSONObject.Member(name: $0.name, value: .number(Self.rounded($0.milliseconds)))
        }
        return [
            "whole": .number(Self.rounded(Self.milliseconds(whole))), "mean_of_a_vault": .object(JSONObject(parts)),
        ]
    }

    private static func milliseconds(_ time: Duration) -> Double {
        let (seconds, attoseconds) = time.components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(String(String(hundredths % 100 + 100).dropFirst()))"
    }
}

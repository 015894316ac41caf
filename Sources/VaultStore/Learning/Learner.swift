package import KnotDomain
import Recommendation

#if canImport(Glibc)
import Glibc
#endif

/// Turns feedback into weights of the factors that the stored evidence says an item was chosen for.
///
/// A pure function of the signals as a set, and of the moment: their order does not matter.
package struct Learner: Sendable {
    private static let bounds = 0.5...2.0
    private static let causesKept = 5

    /// Days after which a signal counts half.
    package let halfLifeDays: Double
    /// Signals before anything is learned.
    package let minimumSignals: Int

    package init(halfLifeDays: Double = 365, minimumSignals: Int = 3) {
        precondition(halfLifeDays > 0 && halfLifeDays.isFinite && minimumSignals > 0)
        self.halfLifeDays = halfLifeDays
        self.minimumSignals = minimumSignals
    }

    /// The weights as of a moment; signals of a later moment are not known yet.
    package func weights(from signals: [FeedbackSignal], asOf: Instant) -> LearnedWeights {
        var seen: Set<PostgresUUID> = []
        let known = signals.filter { $0.at <= asOf && $0.value != nil && seen.insert($0.id).inserted }
            .sorted(by: FeedbackSignal.precedes)
        let refreshes = Dictionary(grouping: known.filter { $0.feedback.action == .refreshed }) { $0.run }
        var causes: [String: [LearnedFactor.Cause]] = [:]
        for signal in known {
            guard let value = signal.value else { continue }
            var whole = decay(from: signal.at, to: asOf)
            // One refresh leaves a row for each item of the set, and is one opinion.
            if signal.feedback.action == .refreshed, let run = signal.run {
                whole /= Double(refreshes[run]?.count ?? 1)
            }
            for (name, share) in Self.shares(of: signal) {
                causes[name, default: []]
                    .append(LearnedFactor.Cause(signal: signal.id, value: value, share: whole * share))
            }
        }
        let isEnough = known.count >= minimumSignals
        return LearnedWeights(
            factors: isEnough ? causes.keys.sorted().map { Self.factor($0, causes[$0] ?? []) } : [],
            signalCount: known.count,
            halfLifeDays: halfLifeDays,
            asOf: asOf,
            feedbackUntil: known.last?.at
        )
    }

    /// The signals that are known at a moment and say anything, by id.
    func known(_ signals: [FeedbackSignal], asOf: Instant) -> Set<PostgresUUID> {
        Set(signals.filter { $0.at <= asOf && $0.value != nil }.map(\.id))
    }

    private func decay(from moment: Instant, to asOf: Instant) -> Double {
        let days = Double(asOf.millisecondsSinceEpoch - moment.millisecondsSinceEpoch) / 86_400_000
        return exp2(-days / halfLifeDays)
    }

    /// The product's formula over shares instead of whole rows: old signals count less, and so do shared ones.
    private static func factor(_ name: String, _ causes: [LearnedFactor.Cause]) -> LearnedFactor {
        let strength = causes.reduce(0) { $0 + $1.share }
        let mean = strength > 0 ? causes.reduce(0) { $0 + $1.share * $1.value } / strength : 0
        let root = strength.squareRoot()
        let weight = min(bounds.upperBound, max(bounds.lowerBound, 1 + mean * root / (root + 2)))
        let strongest = causes.enumerated().sorted { left, right in
            let (one, other) = (
                abs(left.element.value) * left.element.share, abs(right.element.value) * right.element.share
            )
            return one == other ? left.offset > right.offset : one > other
        }
        return LearnedFactor(
            name: name,
            weight: weight,
            mean: mean,
            strength: strength,
            signalCount: causes.count,
            causes: strongest.prefix(causesKept).map(\.element)
        )
    }
}

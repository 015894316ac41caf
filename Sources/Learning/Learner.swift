package import KnotDomain
package import PostgresClient

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
        let known = standing(signals, asOf: asOf)
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
        Set(standing(signals, asOf: asOf).map(\.id))
    }

    /// Each signal once, the oldest first; who rates a thing again has changed their mind, so that its last rating counts.
    private func standing(_ signals: [FeedbackSignal], asOf: Instant) -> [FeedbackSignal] {
        var seen: Set<PostgresUUID> = []
        var rated: Set<PostgresUUID> = []
        let known = signals.filter { $0.at <= asOf && $0.value != nil && seen.insert($0.id).inserted }
            .sorted(by: FeedbackSignal.precedes)
        let latestFirst = known.reversed().filter { $0.feedback.rating == nil || rated.insert($0.item).inserted }
        return latestFirst.reversed()
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

extension Learner {
    /// Evidence whose reference is a taste of its own; of all else the kind alone is the factor.
    private static let tastes: Set<String> = ["interest", "vibe", "love_language"]
    /// Evidence that says nothing of a taste: learned weights would feed upon themselves.
    private static let silent: Set<String> = ["learned"]
    private static let style: Set<String> = ["vibe", "theme"]

    /// The factors that one signal pays or rewards, with shares that add up to one at most.
    ///
    /// The reason decides who pays for a refusal: a price complaint never punishes a vibe, and a wish for something
    /// different punishes nobody.
    static func shares(of signal: FeedbackSignal) -> [(name: String, share: Double)] {
        switch signal.feedback.refreshReason {
        case .tooExpensive, .tooCheap: return [("budget", 1)]
        case .alreadyHaveSimilar: return [("novelty", 1)]
        case .showDifferent: return []
        case .notTheirStyle: return split(signal.grounds.filter { style.contains($0.kind) })
        case nil:
            // What it is belongs to every choice, and weighs as much as one ground.
            let type = FeedbackSignal.Ground(kind: "type", ref: signal.type.rawValue, weight: 1)
            return split(signal.grounds + [type])
        }
    }

    private static func split(_ grounds: [FeedbackSignal.Ground]) -> [(name: String, share: Double)] {
        var weights: [String: Double] = [:]
        for ground in grounds where !silent.contains(ground.kind) && ground.weight.isFinite && ground.weight > 0 {
            let isTaste = tastes.contains(ground.kind) || ground.kind == "type"
            let name = isTaste ? "\(ground.kind):\(ground.ref)" : ground.kind
            // Several hints are one factor, and the strongest of them is its share.
            weights[name] = max(weights[name] ?? 0, min(ground.weight, 1))
        }
        let names = weights.keys.sorted()
        let sum = names.reduce(0) { $0 + (weights[$1] ?? 0) }
        guard sum > 0 else { return [] }
        return names.map { ($0, (weights[$0] ?? 0) / sum) }
    }
}

/// One thing a person did with something they were shown, and what it had been chosen for.
package struct FeedbackSignal: Sendable, Hashable {
    /// What a stored row's evidence names, with the share it had.
    package struct Ground: Sendable, Hashable {
        package let kind: String
        package let ref: String
        package let weight: Double
    }

    package let id: PostgresUUID
    /// What was shown.
    package let item: PostgresUUID
    /// The set the item was shown in; nil for items that are older than sets.
    package let run: PostgresUUID?
    package let feedback: Feedback
    package let at: Instant
    package let type: CandidateType
    package let grounds: [Ground]

    /// From −1 to 1 in the product's own scale; nil for what says nothing, such as a rating without a number.
    var value: Double? {
        feedback.action == .rated && feedback.rating == nil ? nil : feedback.signal
    }

    /// The one order of signals, whatever order they were read in.
    static func precedes(_ left: Self, _ right: Self) -> Bool {
        (left.at, left.id) < (right.at, right.id)
    }
}

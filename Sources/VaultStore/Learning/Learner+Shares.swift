import KnotDomain
import Recommendation

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
        let reason = signal.feedback.reason.flatMap(RefreshReason.init(rawValue:))
        switch reason {
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

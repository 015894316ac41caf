import KnotDomain

#if canImport(Glibc)
import Glibc
#endif

/// The original's learned weights: clamp(1 + mean·√n / (√n + 2), 0.5, 2), from three signals on.
package struct ClassicWeights: Sendable {
    private let interests: [String: Double]
    private let vibes: [Vibe: Double]
    private let types: [CandidateType: Double]

    init(_ vault: Vault) {
        var interests: [String: [Double]] = [:]
        var vibes: [Vibe: [Double]] = [:]
        var types: [CandidateType: [Double]] = [:]
        for item in vault.history {
            let title = item.title.lowercased()
            for signal in item.feedback.map(HistorySignal.value(of:)) {
                // The original attributed by substrings of the title; that is one of its flaws.
                for like in vault.likes where title.contains(like.name.lowercased()) {
                    interests[like.name, default: []].append(signal)
                }
                for (vibe, words) in ClassicVocabulary.vibes where words.contains(where: { title.contains($0) }) {
                    vibes[vibe, default: []].append(signal)
                }
                types[item.type, default: []].append(signal)
            }
        }
        self.interests = interests.mapValues(Self.weight)
        self.vibes = vibes.mapValues(Self.weight)
        self.types = types.mapValues(Self.weight)
    }

    func weight(ofInterest name: String) -> Double { interests[name] ?? 1 }
    func weight(of vibe: Vibe) -> Double { vibes[vibe] ?? 1 }
    func weight(of type: CandidateType) -> Double { types[type] ?? 1 }

    private static func weight(_ signals: [Double]) -> Double {
        guard signals.count >= 3 else { return 1 }
        let mean = signals.reduce(0, +) / Double(signals.count)
        let root = Double(signals.count).squareRoot()
        return min(2, max(0.5, 1 + mean * root / (root + 2)))
    }
}

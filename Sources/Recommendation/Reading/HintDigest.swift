package import KnotDomain
import TextEncoding
import TextReading

/// The hints in order of weight, and the phrases that later stages search and filter with.
package struct HintDigest: Sendable {
    /// One hint with what it means and how much it steers this run.
    package struct RankedHint: Sendable {
        package let hint: Hint
        package let reading: HintReading
        /// 0 to 1.
        package let weight: Double
        /// The words of the hint's own text.
        let words: TokenizedText
        /// The content stems of each phrase that serves it, in their order, as fingerprints.
        let serveStems: [[UInt64]]
    }

    /// A short text to look for, and the hint it comes from; nil for the vault as a whole.
    package struct Phrase: Sendable, Hashable {
        package let text: String
        package let weight: Double
        package let hint: HintID?
        /// The hint's own text: private, matched but never sent or shown.
        package let isOwnWords: Bool
        /// Content stems of what would serve, as fingerprints; empty for what is ruled out, which is matched thing by thing.
        let stems: [UInt64]
        /// Of what is ruled out: it would do harm, so that a mention is enough and no other wish outweighs it.
        let isStrict: Bool
        /// The harms that it is about, as far as they are anybody's limit.
        let harms: HarmSet
        /// Of a remedy of such harm: what an offer must say of itself to be one, "nut-free" or "vegan".
        let condition: RemedyCondition?

        /// Whether it lists everything that is one of its harms: nothing means all of them, so that it goes by words alone.
        var isList: Bool { !harms.isEmpty && text == harms.kinds }

        init(
            text: String,
            weight: Double,
            hint: HintID?,
            isOwnWords: Bool = false,
            stems: [UInt64] = [],
            isStrict: Bool = false,
            harms: HarmSet = .none,
            condition: RemedyCondition? = nil
        ) {
            self.isStrict = isStrict
            self.harms = harms
            self.condition = condition
            self.text = text
            self.weight = weight
            self.hint = hint
            self.isOwnWords = isOwnWords
            self.stems = stems
        }
    }

    /// By descending weight, ties by id.
    package let ranked: [RankedHint]
    package let serves: [Phrase]
    package let avoids: [Phrase]
}

/// Which hints say what others say: those whose phrases share more than half of the fewer stems.
///
/// Two such hints share one of the rarer half of the fewer stems, so only holders of those are compared.
struct HintEchoes: Sendable {
    /// Beyond these nothing is counted.
    static let most = 2
    /// Up to so many hints are compared with one another as they are.
    private static let few = 48

    private let fingerprints: [[UInt64]]
    private let stems: [StemSet]
    private let strong: [Bool]
    /// By stem the strong hints that hold it, and those of them that hold it among their rarer half.
    private var holders: [UInt64: [Int32]] = [:]
    private var rareHolders: [UInt64: [Int32]] = [:]
    /// For each hint its rarer half.
    private var rare: [ArraySlice<UInt64>] = []

    /// The stems of each hint's phrases, and whether it has any say.
    init(_ all: [[UInt64]], strong: [Bool]) {
        stems = all.map { StemSet(fingerprints: $0) }
        self.strong = strong
        guard all.count > Self.few else {
            fingerprints = []
            return
        }
        var counts: [UInt64: Int] = [:]
        let sets = all.map { Set($0) }
        for set in sets { for fingerprint in set { counts[fingerprint, default: 0] += 1 } }
        fingerprints = sets.map { set in
            set.sorted { left, right in
                let (one, other) = (counts[left] ?? 0, counts[right] ?? 0)
                return one == other ? left < right : one < other
            }
        }
        rare = fingerprints.map { $0.prefix($0.count - $0.count / 2) }
        for (place, isStrong) in strong.enumerated() where isStrong {
            for fingerprint in fingerprints[place] { holders[fingerprint, default: []].append(Int32(place)) }
            for fingerprint in rare[place] { rareHolders[fingerprint, default: []].append(Int32(place)) }
        }
    }

    /// How many other strong hints say the same, up to `most`.
    func count(of place: Int) -> Int {
        var found = 0
        guard !fingerprints.isEmpty else {
            for other in stems.indices where found < Self.most && isEcho(place, other) { found += 1 }
            return found
        }
        var seen: Set<Int32> = []
        for fingerprint in rare[place] {
            for other in holders[fingerprint] ?? [] where seen.insert(other).inserted && isEcho(place, Int(other)) {
                found += 1
                if found == Self.most { return found }
            }
        }
        for fingerprint in fingerprints[place].dropFirst(rare[place].count) {
            for other in rareHolders[fingerprint] ?? [] where seen.insert(other).inserted && isEcho(place, Int(other)) {
                found += 1
                if found == Self.most { return found }
            }
        }
        return found
    }

    private func isEcho(_ place: Int, _ other: Int) -> Bool {
        guard other != place, strong[other] else { return false }
        let (own, others) = (stems[place], stems[other])
        guard !own.isEmpty, !others.isEmpty else { return false }
        return own.sharedCount(with: others) * 2 > min(own.count, others.count)
    }
}

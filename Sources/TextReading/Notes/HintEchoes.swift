import TextEncoding

/// Which hints say what others say: those whose phrases share more than half of the fewer stems.
///
/// Two such hints share one of the rarer half of the fewer stems, so only holders of those are compared.
package struct HintEchoes: Sendable {
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
    package init(_ all: [[UInt64]], strong: [Bool]) {
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
    package func count(of place: Int) -> Int {
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

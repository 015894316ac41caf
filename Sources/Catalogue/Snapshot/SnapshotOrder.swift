import KnotDomain

/// Makes one ranking of what segments and phrases found.
struct SnapshotOrder {
    private let limit: Int
    /// Of a pool no more than this share is one merchant's while others have something, too.
    private static let merchantShare = 0.1

    init(limit: Int) { self.limit = limit }

    /// One phrase's finds from all segments, the best by words and the nearest by meaning.
    func ranked(
        _ parts: [SegmentFindings.Found],
        depth: Int
    ) -> (words: [SegmentFindings.Find], near: [SegmentFindings.Find]) {
        var words = parts.flatMap(\.byWords)
        words.sort { $0.words != $1.words ? $0.words > $1.words : $0.ordinal < $1.ordinal }
        words.removeLast(max(0, words.count - depth))
        var near = parts.flatMap(\.byMeaning)
        near.sort { left, right in
            let (one, other) = (left.cosine ?? 0, right.cosine ?? 0)
            return one != other ? one > other : left.ordinal < right.ordinal
        }
        near.removeLast(max(0, near.count - depth))
        return (words, near)
    }

    /// The same as one ranking, fused and weighed, the best first.
    func fused(_ parts: [SegmentFindings.Found], depth: Int, weight: Double) -> [SnapshotAnswer.Hit] {
        let (words, near) = ranked(parts, depth: depth)
        let hasMeaning = parts.contains(where: \.hasMeaning)
        let mostWords = words.first?.words ?? 0
        let (most, least) = (near.first?.cosine ?? 0, near.last?.cosine ?? 0)
        // Nothing is related by chance alone: what is only near counts where it points the same way.
        let found = near.filter { ($0.cosine ?? 0) > 0 }
        var cosines: [UInt64: Double] = [:]
        for find in near { cosines[find.ordinal] = find.cosine }
        var hits: [SnapshotAnswer.Hit] = []
        var seen: Set<UInt64> = []
        for find in words + found where seen.insert(find.ordinal).inserted {
            let byWords = mostWords > 0 ? find.words / mostWords : 0
            let byMeaning = cosines[find.ordinal].map { most > least ? ($0 - least) / (most - least) : 1 } ?? 0
            let score = hasMeaning ? (byWords + byMeaning) / 2 : byWords
            hits.append(
                SnapshotAnswer.Hit(
                    segment: find.segment,
                    item: find.item,
                    ordinal: find.ordinal,
                    merchant: find.merchant,
                    score: score * weight
                )
            )
        }
        return hits.sorted(by: Self.precedes)
    }

    /// The pool for all phrases, the best first, and how many different offers they found.
    ///
    /// It is dealt out to the phrases in turn, so that one loud wish does not fill it: of a million offers hundreds are
    /// nearer to it than the best are to a quiet one.
    func pool(_ ranked: [[SnapshotAnswer.Hit]]) -> (hits: [SnapshotAnswer.Hit], found: Int) {
        var best: [UInt64: SnapshotAnswer.Hit] = [:]
        for hit in ranked.joined() where best[hit.ordinal].map({ $0.score < hit.score }) ?? true {
            best[hit.ordinal] = hit
        }
        var chosen: Set<UInt64> = []
        var pool: [SnapshotAnswer.Hit] = []
        func deal(_ mayTake: (SnapshotAnswer.Hit) -> Bool) {
            var next = [Int](repeating: 0, count: ranked.count)
            var isDealing = true
            while isDealing, pool.count < limit {
                isDealing = false
                for phrase in ranked.indices where pool.count < limit {
                    while next[phrase] < ranked[phrase].count {
                        let hit = ranked[phrase][next[phrase]]
                        next[phrase] += 1
                        guard !chosen.contains(hit.ordinal), mayTake(hit) else { continue }
                        chosen.insert(hit.ordinal)
                        pool.append(best[hit.ordinal] ?? hit)
                        isDealing = true
                        break
                    }
                }
            }
        }
        let mostOfOne = max(3, Int(Double(limit) * Self.merchantShare))
        var merchants: [UInt32: Int] = [:]
        deal { hit in
            guard hit.merchant != 0 else { return true }
            guard merchants[hit.merchant, default: 0] < mostOfOne else { return false }
            merchants[hit.merchant, default: 0] += 1
            return true
        }
        // What is left of a pool goes to merchants who have their share already.
        deal { _ in true }
        return (pool.sorted(by: Self.precedes), best.count)
    }

    private static func precedes(_ left: SnapshotAnswer.Hit, _ right: SnapshotAnswer.Hit) -> Bool {
        left.score != right.score ? left.score > right.score : left.ordinal < right.ordinal
    }
}

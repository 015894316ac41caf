import KnotDomain

/// Makes one ranking of what segments and phrases found.
struct SnapshotOrder {
    private let limit: Int
    /// Of a pool no more than this share is one merchant's while others have something, too.
    private static let merchantShare = 0.1
    /// So large a part of the pool is dealt out to the phrases in turn, so that one loud wish does not fill it.
    private static let dealtShare = 0.5

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
    func pool(_ ranked: [[SnapshotAnswer.Hit]]) -> (hits: [SnapshotAnswer.Hit], found: Int) {
        var best: [UInt64: SnapshotAnswer.Hit] = [:]
        for hit in ranked.joined() where best[hit.ordinal].map({ $0.score < hit.score }) ?? true {
            best[hit.ordinal] = hit
        }
        let mostOfOne = max(3, Int(Double(limit) * Self.merchantShare))
        var chosen: Set<UInt64> = []
        var pool: [SnapshotAnswer.Hit] = []
        var merchants: [UInt32: Int] = [:]
        var late: [SnapshotAnswer.Hit] = []
        func take(_ hit: SnapshotAnswer.Hit, isStrict: Bool) -> Bool {
            guard pool.count < limit, !chosen.contains(hit.ordinal) else { return false }
            if isStrict, hit.merchant != 0, merchants[hit.merchant, default: 0] >= mostOfOne { return false }
            chosen.insert(hit.ordinal)
            merchants[hit.merchant, default: 0] += 1
            pool.append(best[hit.ordinal] ?? hit)
            return true
        }
        let dealt = Int(Double(limit) * Self.dealtShare)
        var next = [Int](repeating: 0, count: ranked.count)
        var isDealing = true
        while isDealing, pool.count < dealt {
            isDealing = false
            for phrase in ranked.indices where pool.count < dealt {
                while next[phrase] < ranked[phrase].count {
                    next[phrase] += 1
                    isDealing = true
                    if take(ranked[phrase][next[phrase] - 1], isStrict: true) { break }
                }
            }
        }
        for hit in best.values.sorted(by: Self.precedes) where !take(hit, isStrict: true) { late.append(hit) }
        for hit in late { _ = take(hit, isStrict: false) }
        return (pool.sorted(by: Self.precedes), best.count)
    }

    private static func precedes(_ left: SnapshotAnswer.Hit, _ right: SnapshotAnswer.Hit) -> Bool {
        left.score != right.score ? left.score > right.score : left.ordinal < right.ordinal
    }
}

#if canImport(Glibc)
import Glibc
#endif

/// The metrics of one ranking against one topic's judgements; nil is undefined, which is neither 0 nor 1.
///
/// `CONVENTIONS.md` beside this file says for each metric what it divides by and when it is undefined.
package struct RankingMetrics: Sendable {
    let ids: [String]
    package let grades: JudgedGrades

    package init(_ ranking: CanonicalRanking, _ grades: JudgedGrades) {
        ids = ranking.ids
        self.grades = grades
    }

    /// Whether there is anything to find; without it no metric that asks how much was found means anything.
    package var hasRelevant: Bool { grades.relevantCount > 0 }

    /// The first `cutoff` items, or all.
    func head(_ cutoff: Int?) -> ArraySlice<String> {
        guard let cutoff else { return ids[...] }
        precondition(cutoff > 0, "a metric is cut at a place from 1 on")
        return ids.prefix(cutoff)
    }

    func relevantCount(in head: ArraySlice<String>) -> Int { head.count(where: grades.isRelevant) }

    /// The same ranking without the items that nobody judged.
    package var condensed: RankingMetrics {
        RankingMetrics(ids: ids.filter { grades.grade(of: $0) != nil }, grades: grades)
    }

    private init(ids: [String], grades: JudgedGrades) {
        self.ids = ids
        self.grades = grades
    }

    /// How many of the first places somebody judged, over the cutoff.
    package func judgedShare(at cutoff: Int) -> Double {
        Double(head(cutoff).count { grades.grade(of: $0) != nil }) / Double(cutoff)
    }
}

extension RankingMetrics {
    /// Relevant among the first places, over the cutoff and not over what came: short must not look better.
    package func precision(at cutoff: Int) -> Double {
        Double(relevantCount(in: head(cutoff))) / Double(cutoff)
    }

    /// Relevant among the first places, over all that are relevant.
    package func recall(at cutoff: Int? = nil) -> Double? {
        guard hasRelevant else { return nil }
        return Double(relevantCount(in: head(cutoff))) / Double(grades.relevantCount)
    }

    /// The harmonic mean of precision and recall; 0 where both are.
    package func f1(at cutoff: Int) -> Double? {
        guard let recall = recall(at: cutoff) else { return nil }
        let precision = precision(at: cutoff)
        return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
    }

    /// Precision at each find, over all that are relevant (and not over the cutoff).
    package func averagePrecision(at cutoff: Int? = nil) -> Double? {
        guard hasRelevant else { return nil }
        var found = 0
        var sum = 0.0
        for (index, id) in head(cutoff).enumerated() where grades.isRelevant(id) {
            found += 1
            sum += Double(found) / Double(index + 1)
        }
        return sum / Double(grades.relevantCount)
    }

    /// One over the place of the first find; 0 where nothing is found.
    package func reciprocalRank(at cutoff: Int? = nil) -> Double? {
        guard hasRelevant else { return nil }
        let place = head(cutoff).firstIndex(where: grades.isRelevant)
        return place.map { 1 / Double($0 + 1) } ?? 0
    }

    /// 1 where anything relevant is among the first places, else 0.
    package func success(at cutoff: Int? = nil) -> Double? {
        guard hasRelevant else { return nil }
        return head(cutoff).contains(where: grades.isRelevant) ? 1 : 0
    }

    /// Precision at as many places as there are relevant items.
    package var rPrecision: Double? {
        hasRelevant ? precision(at: grades.relevantCount) : nil
    }

    /// How seldom a judged bad item stands above a relevant one; what nobody judged is passed over.
    package var bpref: Double? {
        guard hasRelevant else { return nil }
        let bound = min(grades.relevantCount, grades.irrelevantCount)
        var above = 0
        var sum = 0.0
        for id in ids {
            guard let grade = grades.grade(of: id), grade >= 0 else { continue }
            if grade < grades.relevantFrom {
                above += 1
            } else {
                sum += above == 0 ? 1 : 1 - Double(min(above, grades.relevantCount)) / Double(bound)
            }
        }
        return sum / Double(grades.relevantCount)
    }
}

extension RankingMetrics {
    /// Discounted cumulative gain; always defined, and comparable only between lists of one cutoff.
    package func dcg(
        at cutoff: Int? = nil,
        gain: GainScale = .linear,
        discount: RankDiscount = .standard
    ) -> Double {
        head(cutoff).enumerated().reduce(0) { sum, place in
            let grade = grades.grade(of: place.element) ?? 0
            return sum + gain.gain(grade, relevantFrom: grades.relevantFrom) * discount.weight(rank: place.offset + 1)
        }
    }

    /// The gain over that of the best order of everything judged; nil where nothing judged has any gain.
    package func ndcg(
        at cutoff: Int? = nil,
        gain: GainScale = .linear,
        discount: RankDiscount = .standard
    ) -> Double? {
        let best = idealDCG(at: cutoff, gain: gain, discount: discount)
        return best > 0 ? dcg(at: cutoff, gain: gain, discount: discount) / best : nil
    }

    /// The largest gain that any order of everything judged can have.
    package func idealDCG(at cutoff: Int?, gain: GainScale, discount: RankDiscount) -> Double {
        let gains = grades.grades.values.map { gain.gain($0, relevantFrom: grades.relevantFrom) }.sorted(by: >)
        return gains.prefix(cutoff ?? gains.count).enumerated().reduce(0) { sum, place in
            sum + place.element * discount.weight(rank: place.offset + 1)
        }
    }

    /// Rank-biased precision: the expected rate of finds of somebody who goes on with this probability.
    package func rankBiasedPrecision(
        persistence: Double,
        at cutoff: Int? = nil,
        gain: GainScale = .binary
    ) -> Double {
        var weight = 1 - persistence
        var sum = 0.0
        for id in head(cutoff) {
            sum += weight * gain.gain(grades.grade(of: id) ?? 0, relevantFrom: grades.relevantFrom)
            weight *= persistence
        }
        return sum
    }
}

/// What a grade is worth; negative grades are worth nothing.
package enum GainScale: Sendable, CaseIterable {
    /// The grade itself.
    case linear
    /// 2^grade - 1.
    case exponential
    /// 1 for whatever is relevant.
    case binary

    func gain(_ grade: Int, relevantFrom: Int) -> Double {
        switch self {
        case .linear: Double(max(0, grade))
        case .exponential: exp2(Double(max(0, grade))) - 1
        case .binary: grade >= relevantFrom ? 1 : 0
        }
    }
}

/// How much less a later place counts.
package enum RankDiscount: Sendable, CaseIterable {
    /// 1 / log2(rank + 1), as trec_eval, ranx and most papers have it: 1, 0.63, 0.5.
    case standard
    /// 1 / log2(max(rank, 2)), lenskit's own: the first two places weigh the same.
    case flatStart

    /// The weight of a place, counted from 1.
    func weight(rank: Int) -> Double {
        switch self {
        case .standard: 1 / log2(Double(rank + 1))
        case .flatStart: 1 / log2(Double(max(rank, 2)))
        }
    }
}

/// Why a list is no ranking that a metric may look at.
package struct RankingError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case duplicateID = "duplicate_id"
        case scoreIsNoNumber = "score_is_no_number"
    }

    package let code: Code
    package let id: String

    package var description: String {
        switch code {
        case .duplicateID: "The item \(id) is in the ranking more than once."
        case .scoreIsNoNumber: "The score of \(id) is no number."
        }
    }
}

/// What judges said of the items of one topic; what nobody judged has no grade, which is not the same as a grade of 0.
package struct JudgedGrades: Sendable, Hashable {
    package let grades: [String: Int]
    /// The lowest grade that counts as relevant.
    package let relevantFrom: Int

    package init(_ grades: [String: Int], relevantFrom: Int = 1) {
        self.grades = grades
        self.relevantFrom = relevantFrom
    }

    package func grade(of id: String) -> Int? { grades[id] }

    package func isRelevant(_ id: String) -> Bool { grades[id].map { $0 >= relevantFrom } ?? false }

    /// How many judged items are relevant.
    package var relevantCount: Int { grades.values.count { $0 >= relevantFrom } }

    /// How many judged items are not relevant; negative grades are no judgement of that, as in trec_eval.
    package var irrelevantCount: Int { grades.values.count { $0 >= 0 && $0 < relevantFrom } }
}

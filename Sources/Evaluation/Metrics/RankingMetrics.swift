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

    /// One over the place of the first find; 0 where nothing is found.
    package func reciprocalRank(at cutoff: Int? = nil) -> Double? {
        guard hasRelevant else { return nil }
        let place = head(cutoff).firstIndex(where: grades.isRelevant)
        return place.map { 1 / Double($0 + 1) } ?? 0
    }
}

extension RankingMetrics {
    /// Discounted cumulative gain; always defined, and comparable only between lists of one cutoff.
    package func dcg(at cutoff: Int? = nil) -> Double {
        Self.discounted(head(cutoff).map { grades.grade(of: $0) ?? 0 })
    }

    /// The gain over that of the best order of everything judged; nil where nothing judged has any gain.
    package func ndcg(at cutoff: Int? = nil) -> Double? {
        let best = idealDCG(at: cutoff)
        return best > 0 ? dcg(at: cutoff) / best : nil
    }

    /// The largest gain that any order of everything judged can have.
    private func idealDCG(at cutoff: Int?) -> Double {
        let best = grades.grades.values.sorted(by: >)
        return Self.discounted(best.prefix(cutoff ?? best.count))
    }

    /// The grades over log2(rank + 1), as trec_eval, ranx and most papers have it; negative grades are worth nothing.
    private static func discounted(_ grades: some Sequence<Int>) -> Double {
        grades.enumerated().reduce(0) { $0 + Double(max(0, $1.element)) * (1 / log2(Double($1.offset + 2))) }
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
}

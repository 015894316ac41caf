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

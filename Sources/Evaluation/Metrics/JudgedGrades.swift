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

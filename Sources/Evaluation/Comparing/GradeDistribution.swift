/// How many vaults have which mean grade: three grades of 0 to 3 have one of ten means.
package struct GradeDistribution: Sendable, Hashable {
    /// 0, a third, two thirds, and so on to 3.
    package static let grades = (0...9).map { Double($0) / 3 }

    /// One for each of those grades.
    package let counts: [Int]
    /// Vaults without a mean grade.
    package let ungradedCount: Int

    package init(_ evaluation: PipelineEvaluation) {
        var counts = [Int](repeating: 0, count: Self.grades.count)
        var ungraded = 0
        for vault in evaluation.vaults {
            guard let grade = vault[.meanGrade] else {
                ungraded += 1
                continue
            }
            counts[min(counts.count - 1, max(0, Int((grade * 3).rounded())))] += 1
        }
        self.counts = counts
        ungradedCount = ungraded
    }

    package var gradedCount: Int { counts.reduce(0, +) }
}

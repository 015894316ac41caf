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

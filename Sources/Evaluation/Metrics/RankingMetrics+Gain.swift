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

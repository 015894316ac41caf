/// The figures of one segment, with how many vaults they rest on.
package struct SegmentFigures: Sendable {
    package let segment: Segment
    package let count: Int
    package let precision: Estimate
    package let meanGrade: Estimate
    /// Of the mean grade against the other pipeline; nil without one.
    package let difference: Estimate?
    package let forbidden: Int

    /// Whether there are enough vaults to conclude anything.
    package var decides: Bool { count >= Segment.smallestDeciding }

    /// All segments that have a vault, kind by kind, the larger first, equals by name.
    static func all(
        of new: PipelineEvaluation,
        against old: PipelineEvaluation?,
        seed: UInt64
    ) -> [SegmentFigures] {
        var places: [Segment: [Int]] = [:]
        for (index, vault) in new.vaults.enumerated() {
            for segment in vault.traits.segments { places[segment, default: []].append(index) }
        }
        let order = Segment.Kind.allCases
        let sorted = places.sorted { left, right in
            let (first, second) = (order.firstIndex(of: left.key.kind), order.firstIndex(of: right.key.kind))
            if first != second { return (first ?? 0) < (second ?? 0) }
            if left.value.count != right.value.count { return left.value.count > right.value.count }
            return left.key.name < right.key.name
        }
        return sorted.map { segment, indices in
            let bootstrap = Bootstrap(topics: indices.count, seed: seed)
            let vaults = indices.map { new.vaults[$0] }
            let differences = old.map { old in
                indices.map { index -> Double? in
                    guard let after = new.vaults[index][.meanGrade], let before = old.vaults[index][.meanGrade] else {
                        return nil
                    }
                    return after - before
                }
            }
            return SegmentFigures(
                segment: segment,
                count: indices.count,
                precision: Estimate(vaults.map { $0[.precision] }, bootstrap),
                meanGrade: Estimate(vaults.map { $0[.meanGrade] }, bootstrap),
                difference: differences.map { Estimate($0, bootstrap) },
                forbidden: vaults.reduce(0) { $0 + $1.count(.forbidden) }
            )
        }
    }
}

/// Makes one order of many: what stands high in several lists comes first.
///
/// Reciprocal ranks need no common scale, so that words and vectors can be put together; equal sums go by place.
enum RankFusion {
    /// The lists hold places, the best first; earlier lists count up to twice as much as the last.
    static func merge(_ lists: [[Int]], count: Int) -> [Int] {
        var sums = [Double](repeating: 0, count: count)
        for (number, list) in lists.enumerated() {
            let weight = 1 - 0.5 * Double(number) / Double(lists.count)
            for (rank, place) in list.enumerated() { sums[place] += weight / Double(Self.damping + rank + 1) }
        }
        return sums.indices.filter { sums[$0] > 0 }.sorted { (sums[$1], $0) < (sums[$0], $1) }
    }

    /// The customary constant: the first of a list is worth little more than the tenth.
    private static let damping = 60
}

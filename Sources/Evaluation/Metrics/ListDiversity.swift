/// How different the items of one list are.
package enum ListDiversity {
    /// The mean of 1 - similarity over unordered pairs; nil where there is no pair.
    package static func meanDistance(count: Int, similarity: (Int, Int) -> Double) -> Double? {
        guard count > 1 else { return nil }
        var sum = 0.0
        for first in 0..<count {
            for second in (first + 1)..<count { sum += 1 - similarity(first, second) }
        }
        return sum / Double(count * (count - 1) / 2)
    }

    /// The cosine of two vectors; with a zero vector it is 0.
    package static func cosine(_ left: [Double], _ right: [Double]) -> Double {
        var (dot, first, second) = (0.0, 0.0, 0.0)
        for (a, b) in zip(left, right) {
            dot += a * b
            first += a * a
            second += b * b
        }
        let lengths = first.squareRoot() * second.squareRoot()
        return lengths == 0 ? 0 : dot / lengths
    }
}

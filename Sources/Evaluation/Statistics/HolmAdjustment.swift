/// Holm's step-down correction: what several p values are worth when they were looked at together.
package enum HolmAdjustment {
    /// The adjusted values in the order given: the largest so far of min(1, (m - j + 1) p), smallest p first.
    package static func adjusted(_ values: [Double]) -> [Double] {
        var result = values
        var largest = 0.0
        let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
        for (step, index) in order.enumerated() {
            largest = max(largest, min(1, Double(values.count - step) * values[index]))
            result[index] = largest
        }
        return result
    }
}

/// Numbers of which the mean and the spread are asked.
package struct Sample: Sendable, Hashable {
    package let values: [Double]

    package init(_ values: [Double]) {
        self.values = values
    }

    package var count: Int { values.count }

    /// Nil without any number.
    package var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }

    /// The sample's standard deviation, over n - 1; nil below two numbers.
    package var standardDeviation: Double? {
        guard values.count > 1, let mean else { return nil }
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot()
    }

    /// The standard deviation of the mean.
    package var standardError: Double? { standardDeviation.map { $0 / Double(values.count).squareRoot() } }
}
